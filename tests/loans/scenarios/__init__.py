"""Stories of the field, each read from top to bottom."""
