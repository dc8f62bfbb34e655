"""The mission Only War: objectives, the Underdog, victory."""
