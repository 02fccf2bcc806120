# SPDX-License-Identifier: MIT

#: lib/wall/adjtimex.c
s/return tx->status & STA_NANO ? tx->offset : /return 0 ? tx->offset : /
s/tx->maxerror >= MAXERROR_LIMIT_US || /tx->maxerror > MAXERROR_LIMIT_US || /
s/ || tx->status & STA_CLOCKERR)/)/
s/tx->status & STA_UNSYNC || state == TIME_ERROR/state == TIME_ERROR/
s/tx->status & STA_UNSYNC || state == TIME_ERROR/tx->status \& STA_UNSYNC/
s/ask->config->trusted & HPT_WALL_SOURCE_KERNEL/ask->config->trusted != 0/
s/return state == TIME_OOP || /return /
s/ || (state == TIME_ERROR && tx->status & (STA_INS | STA_DEL))//
s/(STA_INS | STA_DEL)/STA_INS/
s/^	if (state == TIME_ERROR)$/	if (0)/
s/^	if (state == TIME_WAIT)$/	if (0)/
s/state == TIME_INS || tx->status & STA_INS/state == TIME_INS/
s/state == TIME_INS || tx->status & STA_INS/tx->status \& STA_INS/
s/state == TIME_DEL || tx->status & STA_DEL/state == TIME_DEL/
s/state == TIME_DEL || tx->status & STA_DEL/tx->status \& STA_DEL/
s/tx->status & STA_NANO ? OFFSET_MOST_NS : OFFSET_MOST_US/OFFSET_MOST_NS/
s/return tx->maxerror >= 0 && /return /
s/ && tx->esterror >= 0//
s/ && tx->offset >= -most//
s/ && tx->offset <= most;/;/
s/	if (!tx->maxerror || !tx->esterror)/	if (!tx->esterror)/
s/	if (!tx->maxerror || !tx->esterror)/	if (!tx->maxerror)/
s/	if (is_ntpd_starting(tx))/	if (0)/
s/tx->esterror == NTPD_START_US && //
s/ && tx->maxerror % MAXFREQ_US == NTPD_START_US//
s/ \* 1000 + CUT_NS + STAIR_NS, / * 1000 + CUT_NS, /
s/ \* 1000 + CUT_NS + STAIR_NS, / * 1000 + STAIR_NS - CUT_NS, /
s/(offset_ns < 0 ? offset_ns : 0) - error_ns/-error_ns/
s/(offset_ns > 0 ? offset_ns : 0) + error_ns/error_ns/
s/	ret->sample.flags = HPT_WALL_FLAG_CLAIMED;/	;/
s/	if (hpt_leap_is_tai_offset(tx->tai))/	if (1)/
s/	if (!env->adjtimex)/	if (0)/
s/	if (r < 0)/	if (0)/
