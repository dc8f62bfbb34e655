"""The mission sequence of Only War, and Scouts."""
