# SPDX-License-Identifier: MIT
"""What ends packaging/amalgamate."""


class Problem(Exception):
    """A sentence for the user."""
