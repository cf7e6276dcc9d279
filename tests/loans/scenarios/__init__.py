"""Stories of the desk in the field's words; each file reads from top to bottom."""
