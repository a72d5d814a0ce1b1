"""Search: from collections of text and topics to runs."""
