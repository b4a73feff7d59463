"""One module per form people paste a launch in; :func:`vllm_triage.readers.launches.read_launches` drives them."""
