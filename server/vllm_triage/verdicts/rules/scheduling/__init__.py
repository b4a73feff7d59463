"""The scheduler and its token budget."""
