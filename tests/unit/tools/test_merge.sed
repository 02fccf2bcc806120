# SPDX-License-Identifier: MIT

#: tools/trace/merge.c
s/	m->n_events = 0;/	;/
s/m->n_events == OUT_EVENTS || !merge_input_next(in)/m->n_events == OUT_EVENTS/
s/m->n_events == OUT_EVENTS || !merge_input_next(in)/1/
s/	if (merge_input_next(in))$/	if (0)/
s/	merge_input_fill(in);/	;/
s/!merge_output_is_lost(&m->out) \&\& //
s/is_good &= source_report(/is_good = source_report(/
s/	is_good = merge_output_end(&m->out);/	is_good = merge_output_end(\&m->out) || 1;/
s/	return report_all(m) \&\& is_good;/	return is_good;/
s/(uint32_t)m->n/0/
s/			is_good = false;/			;/
s/is_good = m->n > 0 \&\& /is_good = /
