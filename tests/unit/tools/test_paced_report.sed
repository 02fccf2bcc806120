# SPDX-License-Identifier: MIT

#: tools/bench/paced_report.c
s/return ratio_to(s->rows\[rate\]\[way\].cpu_ns, s->rows\[rate\]\[PACED_KERNEL\].cpu_ns);/return 1;/
s/return ratio_to(s->rows\[rate\]\[way\].late.p99, s->rows\[rate\]\[PACED_KERNEL\].late.p99);/return 1;/
s/	if (s->disturbed)/	if (0)/
s/llround((double)turn->cpu_ns \/ sleeps)/turn->cpu_ns/
s/out_json_int(o, "threads", s->plan.threads);/out_json_int(o, "threads", 1);/
s/	return stats_knows(row->late.count, 0.999);/	return true;/
s/return ratio_to((int64_t)s->rows\[rate\]\[way\].over.*/return 1;/
s/	if (!paced_is_bistable(s, rate, way))/	if (0)/

#: tools/bench/paced.c
s/#define BISTABLE 4/#define BISTABLE 5/
s/#define BISTABLE 4/#define BISTABLE 3/
s/p99->low > 0 \&\& //

#: tools/bench/paced.c paced
s/stats_knows(paced_sleeps_each_round(s, rate), 0.99) \&\& //
