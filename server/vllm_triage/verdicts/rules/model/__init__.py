"""Model, quantisation and dtype."""
