# SPDX-License-Identifier: MIT

#: lib/sleep/wait_margins.c
s/else if (m->is_learned)/else/
s/m.is_learned = !is_late;/m.is_learned = true;/
s/m.two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;/m.two_ns = WORTH_TWO_NS;/
s/m.two_ns = is_late ? WORTH_TWO_LATE_NS : WORTH_TWO_NS;/m.two_ns = is_late ? INT64_MAX \/ 2 : WORTH_TWO_NS;/
s/HPT_SLEEP_NOSPIN \&\& !hpt_policy_cap_ns(p);/HPT_SLEEP_NOSPIN;/
s/if (hpt_policy_kind(p) == HPT_SLEEP_SPIN) {/if (0) {/
s/if (left_ns > SECOND_NS + m.two_ns)/if (1)/
s/if (left_ns > SECOND_NS + m.two_ns)/if (left_ns > SECOND_NS + m.two_ns + 1000)/
s/^	if (m.cap_ns > most_ns)/	if (0)/
s/return m->long_ns \&\& left_ns > m->long_ns/return m->long_ns < 0 \&\& left_ns > m->long_ns/
s/return m->long_ns \&\& left_ns > m->long_ns/return left_ns > m->long_ns/
s/return once <= m->brief_ns + SECOND_NS \&\& once <= m->cap_ns ? once : 0;/return 0;/
s/return once <= m->brief_ns + SECOND_NS \&\& once/return once/
s/ \&\& once <= m->cap_ns ? once : 0;/ ? once : 0;/
s/int64_t once = m->long_ns + early_ns;/int64_t once = m->long_ns;/
s/#define WORTH_TWO_NS 2000000/#define WORTH_TWO_NS 300000/
s/#define EARLY_PART      1024/#define EARLY_PART      1000000/
s/#define EARLY_PART_LONG 16/#define EARLY_PART_LONG 1024/
s/#define WINDOW 128/#define WINDOW 512/
