"""What all tests share: no test of properties fails because the machine was busy."""

from hypothesis import settings

settings.register_profile("minis", deadline=None)
settings.load_profile("minis")
