# SPDX-License-Identifier: MIT

#: lib/sleep/habits.c
s/if (!atomic_compare_exchange_strong(&owners\[slot\], &owner, self))/if (0)/
s/	memset(&slots\[slot\], 0, sizeof(slots\[slot\]));//
s/(!owner || !is_of_this_process(owner)) && take/!owner \&\& take/
s/if (self && before && take_back(before - 1, self))/if (0)/
s/if (hpt_thread_is_gone(owner & THREAD_MASK) &&/if (1 \&\&/
s/if (self && slot == HPT_HABITS_SLOTS)/if (0)/
s/	errno = saved;//
s/if (atomic_load_explicit(&this_thread.process, memory_order_relaxed) != hpt_process())/if (!this_thread.process)/
s/return !is_of_this_process(owner) && atomic_compare/return atomic_compare/
s/	return \&this_thread.spun;/	static uint16_t shared; return \&shared;/
