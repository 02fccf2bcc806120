# SPDX-License-Identifier: MIT

#: tools/info/kernel_aids.c
s/	a->policy = (int)now.policy;/	;/
s/if (now.policy == SCHED_OTHER || now.policy == SCHED_BATCH)/if (0)/
s/if (!strcmp(word, "HRTICK") || !strcmp(word, "NO_HRTICK"))/if (!strcmp(word, "HRTICK"))/
s/major > SLICE_TIMER_MAJOR || /major > SLICE_TIMER_MAJOR + 1 || /
s/minor >= SLICE_TIMER_MINOR/minor >= 0/
s/	if (!access(path, W_OK))/	if (!access(path, R_OK))/
s/	if (!access(path, W_OK))/	if (syscall(SYS_openat, -100, path, 04001, 0) >= 0)/
s/errno == ENOENT || errno == ENOTDIR ? OFFER_ABSENT : OFFER_DENIED/OFFER_ABSENT/
s/errno == ENOENT || errno == ENOTDIR ? OFFER_ABSENT : OFFER_DENIED/OFFER_DENIED/
s/sizeof(policies) \/ sizeof(policies\[0\])/8 + 1/
s/	else if (a->policy == SCHED_OTHER || a->policy == SCHED_BATCH)/	else if (0)/
s/requests\[i\].offer != OFFER_ABSENT/1/
