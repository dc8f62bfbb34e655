"""Before the first turn: table sides, who deploys first, formations in their zones (epic.deploy.*)."""
