"""Before the first turn: table sides, order of deployment, formations in their zones (epic.deploy.*)."""
