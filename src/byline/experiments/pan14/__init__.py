"""Authorship verification measured on the training problems of PAN 2014."""
