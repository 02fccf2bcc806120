# SPDX-License-Identifier: MIT

#: tools/wall/plot_wall.c
s/if (!p->has_bound) {/if (false) {/
s/st->has_gap\[i\] = true;/;/
s/st->gaps++;/;/
s/st->widest\[i\] = fmax(/st->widest[i] = fmin(/
s/fmax(st->ahead_max\[i\], ps(p->ahead_max_ns))/fmax(st->ahead_max[i], ps(p->ahead_min_ns))/
s/fmin(st->ahead_min\[i\], ps(p->ahead_min_ns))/fmax(st->ahead_min[i], ps(p->ahead_min_ns))/
s/(double)stretches - 1);/(double)stretches);/
s/#define STRETCHES_WIDE   210/#define STRETCHES_WIDE   21000/
s/!has_neighbour/true/
s/if (isfinite(y\[i\]) \&\& !has_neighbour)/if (false)/
s/double low = 0, high = 0;/double low = INFINITY, high = -INFINITY;/
s/(double)ns \* PS_PER_NS/(double)ns/
s/p->hides_x = true;/p->hides_x = false;/
