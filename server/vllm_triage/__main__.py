"""``python -m vllm_triage``: the same as the ``vllm-triage`` command."""

import sys

from .surfaces.cli import main

sys.exit(main())
