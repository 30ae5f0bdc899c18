"""The version of sacreBLEU whose numbers, signatures and output this package reproduces."""

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
