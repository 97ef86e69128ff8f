"""Lines of sight and sighting: what stands where, what a line meets, what the rules make of it."""
