"""The rule base: one folder per family, one file per rule."""
