"""The game: its journal, its turns, tokens and hidden units, the dice, and what each side may know."""
