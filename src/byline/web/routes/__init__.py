"""What each route does: takes a form, has it done, and shows what there is to show."""
