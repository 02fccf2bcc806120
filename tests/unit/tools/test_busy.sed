# SPDX-License-Identifier: MIT

#: tools/bench/busy.c
s/while (b->n < n \&\& !r) {/while (b->n < 1 \&\& !r) {/
s/r = -pthread_attr_setaffinity_np(&attr, sizeof(allowed->set), allowed->set);/;/
s/pthread_join(b->threads\[i\], NULL);/;/
