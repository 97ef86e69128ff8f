"""Real ground and other tools' maps, in and out of table inches."""
