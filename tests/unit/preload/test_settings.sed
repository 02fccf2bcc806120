# SPDX-License-Identifier: MIT

#: lib/preload/settings.c
s/ \&\& text\[n\] == '='/ \&\& text[n]/
s/number < 0 || (\*value \&\& \*value != ',') ? none/number < 0 ? none/
s/number < 0 || (\*value \&\& \*value != ',') ? none/(*value \&\& *value != ',') ? none/
s/text += text != NULL;/;/
s/policy > HPT_SLEEP_SPIN ||/0 ||/
s/hpt_policy_make(HPT_SLEEP_BALANCED, 0, \&ret->policy);/;/
s/budget > 100 ? HPT_RUN_BUDGET : (uint32_t)budget/(uint32_t)budget/
s/budget > 100 ?/budget >= 100 ?/
s/return n < 0 || \*text ? -1 : n;/return n;/
s/n = text ? hpt_decimal_take(\&text) : -1/n = hpt_decimal_take(\&text)/
s/waits < HPT_RUN_WAITS_KINDS ?/waits <= HPT_RUN_WAITS_KINDS ?/
s/waits < HPT_RUN_WAITS_KINDS ? (enum hpt_run_waits)waits/1 ? (enum hpt_run_waits)waits/
s/number_of(text, "waits", HPT_RUN_WAITS)/number_of(text, "waits", HPT_RUN_WAITS_NONE)/
s/quota > UINT32_MAX ? 0 : (uint32_t)quota/(uint32_t)quota/
s/quota = number_of(text, "quota", 0);/quota = number_of(text, "quota", 1);/
