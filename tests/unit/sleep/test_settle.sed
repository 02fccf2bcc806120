# SPDX-License-Identifier: MIT

#: lib/sleep/settle.c
s/passed < 0 || (!f->is_known \&\& passed > HPT_SPIN_GAP_NS)/passed < 0/
s/passed < 0 || (!f->is_known \&\& passed > HPT_SPIN_GAP_NS)/(!f->is_known \&\& passed > HPT_SPIN_GAP_NS)/
s/passed = by_counter < by_clock ? by_counter : by_clock/passed = by_counter/
s/passed = by_counter < by_clock ? by_counter : by_clock/passed = by_clock/
s/now_ns - passed + 1);/now_ns + 1);/
s/if (!f->is_known || asked->kind != HPT_DEADLINE_TICK)/if (1)/
s/if (!f->is_known || asked->kind != HPT_DEADLINE_TICK)/if (asked->kind != HPT_DEADLINE_TICK)/
s/return (int64_t)(most - tick) < 0 ? most : tick;/return most;/
s/return (int64_t)(most - tick) < 0 ? most : tick;/return tick;/
s/return f->is_known \&\& !f->stepped_ns ? deadline : clocks_tick(asked, deadline, f, rec);/return deadline;/
s/if (f->moved_ns != f->stepped_ns)/if (0)/
s/if (f->moved_ns != f->stepped_ns)/if (1)/
