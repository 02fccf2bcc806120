# SPDX-License-Identifier: MIT

#: lib/preload/wait.c
s/return end_ns > now_ns ? end_ns - now_ns : 0;/return end_ns - now_ns;/
s/return ms ? w->kind->wait_ms(w, ms) : w->kind->look(w);/return w->kind->wait_ms(w, ms);/
s/return is_by_ms(w) \&\& w->nap.is_plain \&\& !w->has_waited;/return false;/
s/ms = whole_ms(ns + (is_whole_call(w) ? NS_PER_MS - 1 : 0));/ms = whole_ms(ns + NS_PER_MS - 1);/
s/return ns \/ NS_PER_MS < INT_MAX ? (int)(ns \/ NS_PER_MS) : INT_MAX;/return (int)(ns \/ NS_PER_MS);/
s/ \&\& hpt_variants_are_allowed() \&\& !w->nap.is_in_ms))/ \&\& !w->nap.is_in_ms))/
s/ \&\& hpt_variants_are_allowed() \&\& !w->nap.is_in_ms))/ \&\& hpt_variants_are_allowed()))/
s/while (!r \&\& (ns = far_ns(w, w->nap.at_ns - now_ns)) >= NS_PER_MS)/while (0)/
s/while (!r \&\& (ns = far_ns(w, w->nap.at_ns - now_ns)) >= NS_PER_MS)/while ((ns = far_ns(w, w->nap.at_ns - now_ns)) >= NS_PER_MS)/
s/return left_ns - FAR_AHEAD_NS - /return left_ns - /
s/if (r >= 0 \&\& is_near)/if (r >= 0 \&\& (is_near || r > 0))/
s/if (r >= 0 \&\& is_near)/if (is_near)/
s/hpt_look_note_end(&w->look, hpt_habits_claim(), r > 0);/hpt_look_note_end(\&w->look, hpt_habits_claim(), true);/
s/if (!r \&\& is_look_due(w))/if (is_look_due(w))/
s/return !w->look.has_looked ||/return/
s/(w->kind->is_for_fds \&\& has_spun \&\& /(has_spun \&\& /
s/(w->kind->is_for_fds \&\& has_spun \&\& /(w->kind->is_for_fds \&\& /
s/w->nap.now_ns - w->nap.at_ns > DISTURBED_NS);/false);/
s/w->nap.now_ns - w->nap.at_ns > DISTURBED_NS);/true);/
s/bool has_spun = !w->nap.unspun \&\& !w->nap.is_plain;/bool has_spun = !w->nap.unspun;/
s/bool has_spun = !w->nap.unspun \&\& !w->nap.is_plain;/bool has_spun = !w->nap.is_plain;/
s/^	errno = saved;$/	(void)saved;/
s/if (length_ns >= hpt_loaded.settings.least_ns \&\& length_ns > 0)/if (length_ns >= hpt_loaded.settings.least_ns)/
s/if (length_ns >= hpt_loaded.settings.least_ns \&\& length_ns > 0)/if (length_ns > hpt_loaded.settings.least_ns)/
s/if (unlikely(!hpt_nap_is_readable(w->nap.now_ns)))/if (0)/
