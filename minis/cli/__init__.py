"""The command line: a skin; one file a command group, one library function behind each command."""
