// SPDX-License-Identifier: MIT
/* The functions that programs wait by: tools/run/call_names.h. */
#include "run/call_names.h"

const char *const call_names[HPT_CALLS] = {
	[HPT_CALL_NANOSLEEP] = "nanosleep", [HPT_CALL_CLOCK_NANOSLEEP] = "clock_nanosleep",
	[HPT_CALL_USLEEP] = "usleep",       [HPT_CALL_SLEEP] = "sleep",
	[HPT_CALL_THRD_SLEEP] = "thrd_sleep", [HPT_CALL_SELECT] = "select",
	[HPT_CALL_PSELECT] = "pselect",     [HPT_CALL_POLL] = "poll",
	[HPT_CALL_PPOLL] = "ppoll",
	[HPT_CALL_EPOLL_WAIT] = "epoll_wait", [HPT_CALL_EPOLL_PWAIT] = "epoll_pwait",
	[HPT_CALL_EPOLL_PWAIT2] = "epoll_pwait2", [HPT_CALL_SEM_TIMEDWAIT] = "sem_timedwait",
	[HPT_CALL_SEM_CLOCKWAIT] = "sem_clockwait", [HPT_CALL_COND_TIMEDWAIT] = "pthread_cond_timedwait",
	[HPT_CALL_COND_CLOCKWAIT] = "pthread_cond_clockwait", [HPT_CALL_CND_TIMEDWAIT] = "cnd_timedwait",
	[HPT_CALL_FUTEX] = "futex",
};
