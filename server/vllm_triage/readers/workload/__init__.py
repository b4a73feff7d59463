"""Traffic in the forms people have it: one module for each."""
