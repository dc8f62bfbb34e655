"""Order phase: what orders allow, giving them in secret, revealing them (epic.orders.*)."""
