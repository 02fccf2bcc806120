# SPDX-License-Identifier: MIT

#: lib/source/mmio_text.c
s/return w.n == strlen(text) \&\& /return /
s/value > (UINT64_MAX - digit) \/ base/0/
s/if (digit >= base || /if (/
s/return w.n > 0;/return true;/
s/if (!w.n || /if (/
s/take_number(w, &ret->address) && ret->address/take_number(w, \&ret->address)/
s/ || bits > UINT32_MAX//
s/else if (!is_word(w, "up"))/else if (0)/
s/(\*seen >> field & 1) || //
s/ || has_value == (field == POLLED)//
s/reason = hpt_mmio_validate(&mmio);/;/
s/!__builtin_add_overflow(m->address, m->offset, &end)/(end = m->address + m->offset, 1)/
s/ && !(end % 4)//
s/ && end <= INT64_MAX - 8//
s/if (take_word(&uio, '\\0').n == sizeof(m->uio))/if (0)/
s/if (!m->uio\[0\] == !m->address)/if (!m->uio[0] \&\& !m->address)/
s/if (m->address % 4)/if (0)/
s/m->width != 16 && //
s/ || m->frequency_hz > FASTEST_HZ//
s/m->frequency_hz < SLOWEST_HZ/!m->frequency_hz/
s/if (m->flags & ~(uint32_t)(HPT_MMIO_DOWN | HPT_MMIO_POLLED))/if (0)/
