"""Divide chats, interviews, captions and plays into the turns of their speakers."""
