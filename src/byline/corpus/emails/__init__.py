"""Recognise the parts of e-mails that their senders did not write, in many programs' styles."""
