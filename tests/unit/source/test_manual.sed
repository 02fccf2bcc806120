# SPDX-License-Identifier: MIT

#: lib/source/manual.c
s/if (hpt_eventcount_value(&m->eventcount) != value)/if (0)/
s/old >> VALUE_SHIFT == value ? old : base/old/
s/old >> VALUE_SHIFT == value \&\& !atomic/!atomic/
s/waiting >> VALUE_SHIFT == hpt_eventcount_value(&m->eventcount) ? (uint32_t)waiting : 0/(uint32_t)waiting/
s/	if (likely(atomic_load(&m->process) == process))/	if (1)/
s/		if (atomic_compare_exchange_strong(&m->is_used, &unused, 1))/		if (!unused)/
s/	atomic_store(&m->is_used, 0);/	(void)m;/
s/	hpt_own_time_notify(&m->eventcount, src->env);/	(void)0;/
