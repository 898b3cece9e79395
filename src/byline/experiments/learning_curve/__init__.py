"""Accuracy and calibration by the amount of known text and by the length of the questioned text."""
