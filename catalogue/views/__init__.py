"""The staff's catalogue pages. Each reads a form into a draft, calls `catalogue.records` and says what happened."""
