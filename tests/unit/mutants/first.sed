# SPDX-License-Identifier: MIT

#: lib/clock/first.c
s/ret\[n - 1\].ref_ns - from_ns >= HPT_BASELINE_NS \&\& //
s/taken < WAIT_BRACKETS_MAX; taken/; taken/
s/tries < CALIBRATE_TRIES/tries < 1/
s/ \&\& hpt_fit_knows_steps(fit))/)/
s/!hpt_calibrate_stated(stated, ret)/(hpt_calibrate_stated(stated, ret), 0)/
