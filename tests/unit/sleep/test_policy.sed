# SPDX-License-Identifier: MIT

#: lib/sleep/policy.c
s/policy > HPT_SLEEP_SPIN || //
s/ || max_spin_ns < 0)/)/
s/if (!max_spin_ns)/if (0)/
s/max_spin_ns < HPT_POLICY_CAP_MAX ? max_spin_ns : HPT_POLICY_CAP_MAX/max_spin_ns/
s/return hz ? 1000000000 \/ hz : STRICT_CAP_NS;/return CAP_NS;/
/^COLD int hpt_sleep_set_policy/,/^}/s/	if (!r)/	if (1)/;s/struct hpt_policy p;/struct hpt_policy p = { 1 };/
/^COLD int hpt_object_policy_set/,/^}/s/	if (!r)/	if (1)/
s/(max_spin_ns ? -EINVAL : 0)/0/
s/policy == HPT_SLEEP_INHERIT ?/policy > HPT_SLEEP_SPIN ?/
s/return word ? (struct hpt_policy){ word } : packed/return word > 7 ? (struct hpt_policy){ word } : packed/
s/(struct hpt_price){ 500000, 60 }/(struct hpt_price){ 3000000, 60 }/
s/(struct hpt_price){ 50000000, 300 }/(struct hpt_price){ 2000000, 300 }/
s/(struct hpt_price){ 10000000, 0 }/(struct hpt_price){ 10000000, 150 }/
