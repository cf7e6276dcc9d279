"""What the staff type, read into drafts. Forms read fields and say what cannot be read; they decide nothing."""
