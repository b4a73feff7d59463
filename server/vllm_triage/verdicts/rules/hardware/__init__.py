"""What the device can do."""
