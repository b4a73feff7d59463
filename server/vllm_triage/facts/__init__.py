"""What is known of vLLM, of models and of accelerators: versioned data with typed look-ups. Imports nothing of ours."""
