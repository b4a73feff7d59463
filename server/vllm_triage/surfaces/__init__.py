"""The two doors: MCP and the command line. No logic lives here."""
