"""One module per tool: ``Arguments``, ``Answer`` and ``run``."""
