// SPDX-License-Identifier: MIT
/*
 * A FIFO without a writer over current_clocksource, in a mount namespace: the command does not wait for one.
 *
 * usage: clocksource_fifo HPT ARGUMENT...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "namespaces.h"
#include "process.h"

#define FILE_PATH "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define FIFO_PATH "/dev/current_clocksource"

/* Ends a hang: the alarm stays set across exec. */
#define LIMIT_S 20

int main(int argc, char **argv)
{
	int r;

	if (argc < 3)
		return 2;
	r = enter_own_dev();
	if (r || mkfifo(FIFO_PATH, 0644) || mount(FIFO_PATH, FILE_PATH, NULL, MS_BIND, NULL)) {
		printf("%s\n", strerror(r ? -r : errno));
		return skip("no mount namespace with a FIFO over " FILE_PATH);
	}
	alarm(LIMIT_S);
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
