// SPDX-License-Identifier: MIT
/* Notes steps of CLOCK_REALTIME for the stamps that it gives: lib/wall/shown.h. */
#include "wall/shown.h"

#include "arch/arch.h"
#include "math/scale.h"

static void narrow_shown(struct hpt_shown *s, int64_t lo_ns, int64_t hi_ns)
{
	s->unseen_ns = s->hi_ns - s->lo_ns + (hi_ns - lo_ns);
	if (lo_ns > s->lo_ns)
		s->lo_ns = lo_ns;
	if (hi_ns < s->hi_ns)
		s->hi_ns = hi_ns;
}

/* The kernel slews both clocks alike: their difference moves only if CLOCK_REALTIME is set, or if the machine slept. */
COLD void hpt_shown_note(struct hpt_shown *s, int64_t lo_ns, int64_t hi_ns, int64_t mono_ns)
{
	int64_t shown_ns = hpt_sum(mono_ns, s->hi_ns);

	if (s->has_offset && lo_ns <= s->hi_ns && hi_ns >= s->lo_ns) {
		narrow_shown(s, lo_ns, hi_ns);
		return;
	}
	/* It was set before mono_ns was read. It may have been farther before an earlier step. */
	if (s->has_offset && shown_ns > s->until_ns)
		s->until_ns = shown_ns;
	s->has_offset = 1;
	s->lo_ns = lo_ns;
	s->hi_ns = hi_ns;
	s->unseen_ns = hi_ns - lo_ns;
}
