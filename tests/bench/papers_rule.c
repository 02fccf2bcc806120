// SPDX-License-Identifier: MIT
/* The papers' sleep in a shared library of its own: tests/bench/papers_rule.h. */
#include "papers_rule.h"

#define PAPERS_EXPORT __attribute__((visibility("default")))

PAPERS_EXPORT void papers_rule(const struct papers_sleep *asked)
{
	papers_rule_inline(asked);
}
