"""Single knobs. Each is a function from a situation to a candidate, or to why it is spent there.

The reasons of spent knobs are what the house rule `tune-before-scale` asks for: they become the list a scale-out
recommendation must carry.
"""
