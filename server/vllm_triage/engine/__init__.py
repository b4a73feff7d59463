"""vLLM as arithmetic: settings, KV layout, memory budget, roofline."""
