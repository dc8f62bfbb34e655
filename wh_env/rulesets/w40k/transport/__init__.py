"""TRANSPORTS: who is in which model, getting in and out, wrecks."""
