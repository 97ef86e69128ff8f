"""Fire: from a sighted target to a hit (F1 to F9), and from a hit to its effect (E1, E2)."""
