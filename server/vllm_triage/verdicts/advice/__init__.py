"""Advice: which knob to turn for a verdict, cleared before it is named."""

from .next_read import next_read
from .recommend import Advice, recommend
from .situation import Situation

__all__ = ["Advice", "Situation", "next_read", "recommend"]
