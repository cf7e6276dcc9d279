"""The one package that knows all others: settings, addresses, language catalogues, start-up."""
