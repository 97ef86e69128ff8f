"""Planning hidden set-ups: fields of fire, lanes, candidate places, and what a set-up is worth."""
