"""KV cache and memory."""
