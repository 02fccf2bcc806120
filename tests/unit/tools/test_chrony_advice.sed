# SPDX-License-Identifier: MIT

#: tools/wall/chrony_advice.c
s/a->n == CHRONY_ADVICE_MOST/a->n > CHRONY_ADVICE_MOST/
s/!\*ip || !strcmp(ip, "127.0.0.1") || /!*ip || /
s/!\*ip || !strcmp/!strcmp/
s/ || !strcmp(ip, "0.0.0.0")//
s/if (!c->cmdport)/if (c->cmdport < 0)/
s/else if (c->cmdport != 323)/else/
s/if (!seen->n)/if (!seen->n \&\& !seen->is_by_itself)/
s/else if (seen->is_by_itself)/else/
s/return s->is_reference_clock && s->is_selected/return s->is_selected/
s/s->is_reference_clock && s->is_selected \&\& /s->is_reference_clock \&\& /
s/ && !f->refclock_error_ns//
s/root_delay_ns < DELAY_LEAST_NS/root_delay_ns <= DELAY_LEAST_NS/
s/return s->is_selectable && !s->is_reference_clock && s->stratum/return !s->is_reference_clock \&\& s->stratum/
s/return s->is_selectable && !s->is_reference_clock && s->stratum/return s->is_selectable \&\& s->stratum/
s/s->stratum >= STRATUM_OF_LOCAL/s->stratum > STRATUM_OF_LOCAL/
s/if (!s->is_reference_clock && !strcmp/if (!strcmp/
s/if (c->has_leap_table && /if (/
s/s->poll < 0 ? 0 : //
s/s->poll > POLL_MOST ? POLL_MOST : s->poll;/s->poll;/
s/return s->is_selectable && !s->is_reference_clock && s->error_ns/return !s->is_reference_clock \&\& s->error_ns/
s/return s->is_selectable && !s->is_reference_clock && s->error_ns/return s->is_selectable \&\& s->error_ns/
s/ && s->error_ns > 0//
s/until_next_poll_ns(f, s) < until/s->error_ns < until/
s/	return hpt_sum(s->error_ns, ageing_ns(f, s));/	return (int64_t)((uint64_t)s->error_ns + (uint64_t)ageing_ns(f, s));/
s/ && (!best || until_next/ \&\& (!best || -until_next/
s/	if (f->conf && f->is_conf_named)/	if (f->conf)/
s/	if (c->wrong)/	if (1)/
s/s->poll > POLL_ALWAYS_FINE && //
s/s->poll > POLL_ALWAYS_FINE/s->poll > POLL_ALWAYS_FINE + 1/
s/ && ageing_ns(f, s) > s->error_ns)/)/
s/ageing_ns(f, s) > s->error_ns)/ageing_ns(f, s) >= s->error_ns)/
s/2 \* ageing_ns/ageing_ns/
s/	if (combined)$/	if (f->seen->n)/
s/combined + 1)/combined)/
s/if (f->conf && f->conf->is_whole && /if (f->conf \&\& /
s/maxclockerror_ppb < f->wander_ppb/maxclockerror_ppb <= f->wander_ppb/
s/(f->wander_ppb + 999)/f->wander_ppb/
s/c->has_allow && //
s/ && c->has_smoothtime//
s/if (f->conf && f->is_refused)/if (f->conf)/
s/if (f->seen->has_answered)/if (true)/
s/if (f->has_clockbound)/if (true)/
s/	return c->has_included ? /	return 1 ? /
s/	return c->has_included ? /	return 0 ? /
