# SPDX-License-Identifier: MIT

#: lib/clock/info.c
s/^\tstatus->reason = dflt->reason;$/\t;/

#: lib/clock/open.c
s/if (!clk || clk->is_static)/if (!clk)/
s/!ret || source >= HPT_SOURCE_IDS/source >= HPT_SOURCE_IDS/
s/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/
