# SPDX-License-Identifier: MIT

#: lib/machine/bus.c
s/	syscall(SYS_prctl, PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);//
s/i < n; i++/i < 1; i++/
s/(void)words\[i\];/;/
s/return syscall(SYS_clone, 0L, /return syscall(SYS_clone, (long)SIGCHLD, /
s/return syscall(SYS_clone, .*;/return fork();/
s/(long)__WALL, NULL)/0L, NULL)/
s/if (pid < 0 || /if (/
s/ || wait_for(pid, &status) < 0)/ || (wait_for(pid, \&status), 0))/
s/return status ? -EIO : 0;/return 0;/
s/	memset(&all, 0xff, sizeof(all));/	sigemptyset(\&all);/
s/	pthread_sigmask(SIG_SETMASK, &before, NULL);//
s/	errno = saved;//
