"""Scheduler diagnosis for vLLM: read a launch and its measurements, name the bottleneck, say what to turn.

The package is one way through: :mod:`readers` turn pasted text into typed facts, :mod:`engine` does vLLM's
arithmetic, :mod:`verdicts` judge, :mod:`report` answers, :mod:`surfaces` serve the answers over MCP and on the
command line. :mod:`domain` holds the nouns that travel and :mod:`facts` what is known of vLLM, by version.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
