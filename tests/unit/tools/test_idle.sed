# SPDX-License-Identifier: MIT

#: tools/info/idle.c
s/late_ns < SOON_NS/late_ns <= SOON_NS/
s/late_ns < DEEP_NS/late_ns <= DEEP_NS/
s/late_ns < LATE_NS/late_ns <= LATE_NS/
