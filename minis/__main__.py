"""`python -m minis` is the same as `minis`."""

from minis.cli.main import main

if __name__ == "__main__":
    main()
