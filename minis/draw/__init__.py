"""Pictures: the table as a map, a sight line with its profile, dead ground and chances, play aids on paper."""
