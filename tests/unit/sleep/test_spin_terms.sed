# SPDX-License-Identifier: MIT

#: lib/sleep/spin_terms.c
s/return s->quota_millicpus \&\& s->quota/return s->quota/
s/s->quota_millicpus < QUOTA_LEAST_MILLICPUS/s->quota_millicpus <= QUOTA_LEAST_MILLICPUS/
s/s->quota_millicpus \/ QUOTA_PART/s->quota_millicpus/
s/	if (s->rttime_ns == INT64_MAX)/	if (0)/
s/	if (ret->awake_most_ns >= ret->block_after_ns)/	if (0)/
s/	if (ret->awake_most_ns >= ret->block_after_ns)/	if (ret->awake_most_ns > ret->block_after_ns)/
s/s->rttime_ns \/ RTTIME_PART + 1/s->rttime_ns/
s/s->rttime_ns \/ RTTIME_PART + 1/s->rttime_ns \/ RTTIME_PART/
s/ret->spinners = ret->strict_spinners = ret->process_millicpus = 0;/ret->spinners = ret->process_millicpus = 0;/
s/ret->spinners = ret->strict_spinners = ret->process_millicpus = 0;/ret->spinners = ret->strict_spinners = 0;/
s/s->cpus \/ 2 ? s->cpus \/ 2 : 1/s->cpus \/ 2/
s/.strict_spinners = s->cpus ? s->cpus : 1/.strict_spinners = s->cpus/
s/ \&\& s->quota_millicpus < UINT64_C(1000) \* (s->cpus ? s->cpus : 1)//
s/UINT64_C(1000) \* (s->cpus/1000 * (s->cpus/
s/	if (s->is_deadline)/	if (0)/
s/	else if (has_quota(s) \&\& s->quota_millicpus < QUOTA_LEAST_MILLICPUS)/	else if (0)/
s/	else if (has_quota(s))/	else if (0)/
s/^	take_rttime(s, ret);/	;/
s/	ret->limit = HPT_SPIN_LIMIT_QUOTA;/	;/
s/	ret->limit = HPT_SPIN_LIMIT_RTTIME;/	;/
s/^	ret->limit = limit;/	;/
