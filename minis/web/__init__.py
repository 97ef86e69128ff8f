"""The judge's and the players' pages: a small web server over one game file."""
