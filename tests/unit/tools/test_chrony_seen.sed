# SPDX-License-Identifier: MIT

#: tools/wall/chrony_seen.c
s/i ? i - 1 : 0, i);/i, i);/
s/if (hpt_chrony_is_answer(.*/if (true)/
s/if (isgraph(s->ip\[i\]))/if (s->ip[i])/
s/if (s->mode == IS_REFERENCE_CLOCK)/if (false)/
s/s->family == FAMILY_IPV6 ? AF_INET6 : //
s/.is_selected = s->state == SELECTED,/.is_selected = true,/
s/.is_combined = s->state == UNSELECTED,/.is_combined = s->state == SELECTABLE,/
s/ || s->state == SELECTABLE,/,/
s/s->state == UNSELECTED || s->state/s->state/
s/.is_reference_clock = s->mode/.is_reference_clock = !s->mode/
s/t.ref_id == REF_LOCAL/t.ref_id == 0/
s/i < QUESTIONS; i++) {/i < QUESTIONS - 1; i++) {/
s/return reason == HPT_WALL_REASON_ABSENT/return true/
s/k < 0 ? HPT_WALL_REASON_NO_ANSWER/k < 0 ? HPT_WALL_REASON_ABSENT/
s/if (!hpt_datagram_exchange/if (hpt_datagram_exchange/

#: lib/wall/chrony_packets.c chrony_seen
s/.poll = (int16_t)get_16/.poll = (int32_t)get_16/
s/POLL = 48/POLL = 50/
s/SOURCE_STRATUM = 50/SOURCE_STRATUM = 54/
s/.family = get_16(reply + ADDRESS + ADDRESS_FAMILY)/.family = get_16(reply + ADDRESS + ADDRESS_LENGTH)/
s/memcpy(ret->ip, reply + ADDRESS,/memcpy(ret->ip, reply,/
