"""What the staff type, read into drafts. Forms read fields and say what they cannot read; no more."""
