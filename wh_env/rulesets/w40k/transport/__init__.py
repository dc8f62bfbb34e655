"""TRANSPORTS: the models that units are embarked in, embarking, disembarking, wrecks."""
