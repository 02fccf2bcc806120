# SPDX-License-Identifier: MIT

#: lib/source/own_read.h
s/tick = arch_counter_synced();/tick = arch_counter_ordered();/
s/order == HPT_OWN_FIRST ? arch_counter_ordered() : arch_counter()/arch_counter_ordered()/
s/return HPT_OWN_READS > 0 \&\& src->order != HPT_OWN_NONE;/return true;/
/^static inline uint64_t hpt_own_read_by/,/^}/s/HPT_OWN_READS > 1 \&\& order == HPT_OWN_SECOND/HPT_OWN_READS > 1/
/^static inline uint64_t hpt_source_now(/,/^}/s/HPT_OWN_READS > 1 \&\& likely(src->order == HPT_OWN_SECOND)/0/
s/	\*ret_low = (uint32_t)tick;/	*ret_low = (uint32_t)(tick >> 32);/

#: lib/source/own_read.c
s/order == HPT_OWN_SECOND ? read_second : read_first/order == HPT_OWN_SECOND ? read_first : read_second/
s/	src->order = (uint8_t)order;/	;/
s/	src->read_unordered = read_bare;/	src->read_unordered = src->read;/
