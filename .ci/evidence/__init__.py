"""A checker of evidence, written from docs/formats.md alone; see check_evidence.py."""
