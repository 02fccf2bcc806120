# SPDX-License-Identifier: MIT
"""Valkey with libhpt as one file: its monotonic clock, its wait in epoll, and the time of its commands."""
import os

import sources
from redis import own_tests  # noqa: F401 pylint: disable=unused-import
from redis_vendored import checks, measure  # noqa: F401 pylint: disable=unused-import

package, version = 'valkey', '2024-10'
patch = 'examples/vendored/valkey.patch'
ROLES = ('server', 'benchmark', 'cli', 'sentinel', 'check-rdb', 'check-aof')


def build(tree, variant, env):
    sources.need('gcc', 'make', 'tclsh')
    src = os.path.join(tree, 'src')
    if variant == 'after':
        sources.amalgamate('clock', src)
    sources.run('make', '-j2', '-C', src, 'MALLOC=libc', *(f'valkey-{role}' for role in ROLES), env=env)
