"""The staff's catalogue pages: read a form into a draft, call `catalogue.records`, say what happened."""
