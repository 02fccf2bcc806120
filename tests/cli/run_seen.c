// SPDX-License-Identifier: MIT
/* run_seen ACTION...: a program under "hpt run" that sleeps, or prints what it was given. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000

#ifdef HAS_ASAN_OPTIONS
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static volatile sig_atomic_t counts[65];

static void count(int number)
{
	counts[number]++;
	(void)!write(STDOUT_FILENO, "!", 1);
}

static void do_nothing(int number)
{
	(void)number;
}

static void sleep_all_ways(void)
{
	struct timespec ms = { .tv_nsec = MS };
	struct timeval tv = { .tv_usec = 1000 };

	nanosleep(&ms, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
	usleep(1000);
	thrd_sleep(&ms, NULL);
	select(0, NULL, NULL, NULL, &tv);
	pselect(0, NULL, NULL, NULL, &ms, NULL);
	poll(NULL, 0, 1);
	ppoll(NULL, 0, &ms, NULL);
}

/* Each function once to its end, and once with an event that is there. */
static void wait_all_ways(void)
{
	struct timespec ms = { .tv_nsec = MS };
	struct epoll_event event = { .events = EPOLLIN };
	int epfd = epoll_create1(0), fd = eventfd(0, 0);
	struct pollfd set = { .fd = fd, .events = POLLIN };

	epoll_ctl(epfd, EPOLL_CTL_ADD, fd, &event);
	for (int i = 0; i < 2; i++) {
		epoll_wait(epfd, &event, 1, 1);
		poll(&set, 1, 1);
		ppoll(&set, 1, &ms, NULL);
		eventfd_write(fd, 1);
	}
}

static int64_t ns_by(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* A coarse clock falls back by a jiffy. */
static const char *kind_of_clock(clockid_t coarse, clockid_t fine)
{
	int64_t end_ns = ns_by(CLOCK_MONOTONIC) + 50 * MS;

	do {
		int64_t before_ns = ns_by(fine);

		if (ns_by(coarse) < before_ns)
			return "coarse";
	} while (ns_by(CLOCK_MONOTONIC) < end_ns);
	return "fine";
}

static void sleep_often(int n, useconds_t us)
{
	while (n--)
		usleep(us);
}

/* On a busy machine the first alarm may come before the sleep has begun, and ends nothing: so there are more. */
static int sleep_until_alarm(void)
{
	struct itimerval often = { .it_value.tv_usec = 20000, .it_interval.tv_usec = 20000 }, never = { 0 };
	struct timespec long_time = { .tv_sec = 100 };
	int is_ended;

	signal(SIGALRM, do_nothing);
	setitimer(ITIMER_REAL, &often, NULL);
	is_ended = nanosleep(&long_time, NULL) && errno == EINTR;
	setitimer(ITIMER_REAL, &never, NULL);
	return is_ended ? 0 : 1;
}

static void burn(clock_t us)
{
	while (clock() < us)
		;
}

static void print_descriptors(const char *path)
{
	FILE *to = fopen(path, "w");
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *e;

	while (to && dir && (e = readdir(dir)))
		if (*e->d_name != '.' && atoi(e->d_name) != dirfd(dir) && atoi(e->d_name) != fileno(to))
			fprintf(to, "%s ", e->d_name);
	if (to)
		fclose(to);
}

/* The masks of blocked and ignored signals. */
static void print_signals(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			fputs(line, stdout);
}

static void print_slice(void)
{
	struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t ns[3]; } attr = { 0 };

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0))
		perror("sched_getattr");
	printf("%llu\n", (unsigned long long)attr.ns[0]);
}

/* Writes a mark for each signal; after SIGUSR2 the counts of each. */
static void await_signals(void)
{
	static const int numbers[] = { SIGINT, SIGUSR1, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2 };
	struct sigaction action = { .sa_handler = count };
	sigset_t blocked, before;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &action, NULL);
		sigaddset(&blocked, numbers[i]);
	}
	/* Blocked, so that no signal comes between the look at its count and the wait. */
	sigprocmask(SIG_BLOCK, &blocked, &before);
	puts("ready");
	fflush(stdout);
	while (!counts[SIGUSR2])
		sigsuspend(&before);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		printf("%d ", (int)counts[numbers[i]]);
	puts("");
}

/* Each signal has reached this process when the call returns; what comes later was sent by another one. */
static void signal_group(int n)
{
	signal(SIGUSR1, count);
	for (int i = 0; i < n; i++) {
		kill(0, SIGUSR1);
		for (clock_t began = clock(); clock() < began + 10000;)
			;
	}
	printf(" %d\n", (int)counts[SIGUSR1]);
}

/* AddressSanitizer notices it. */
static void use_after_free(void)
{
	volatile uintptr_t at = (uintptr_t)malloc(10);

	free((void *)at);
	(void)*(volatile char *)at;
}

int main(int argc, char *argv[])
{
	const char *action = argc > 1 ? argv[1] : "nothing", *value = argc > 2 ? argv[2] : "0";

	if (!strcmp(action, "all"))
		sleep_all_ways();
	else if (!strcmp(action, "coarse"))
		printf("%s %s\n", kind_of_clock(CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC),
		       kind_of_clock(CLOCK_REALTIME_COARSE, CLOCK_REALTIME));
	else if (!strcmp(action, "waits"))
		wait_all_ways();
	else if (!strcmp(action, "usleep") && argc > 3)
		sleep_often(atoi(value), (useconds_t)atoi(argv[3]));
	else if (!strcmp(action, "alarm"))
		return sleep_until_alarm();
	else if (!strcmp(action, "burn"))
		burn(atoi(value));
	else if (!strcmp(action, "descriptors"))
		print_descriptors(value);
	else if (!strcmp(action, "signals"))
		print_signals();
	else if (!strcmp(action, "slack"))
		printf("%ld\n", syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0));
	else if (!strcmp(action, "slice"))
		print_slice();
	else if (!strcmp(action, "await"))
		await_signals();
	else if (!strcmp(action, "kill"))
		kill(0, atoi(value));
	else if (!strcmp(action, "group"))
		signal_group(atoi(value));
	else if (!strcmp(action, "raise"))
		raise(atoi(value));
	else if (!strcmp(action, "exit"))
		return atoi(value);
	else if (!strcmp(action, "exec") && argc > 2)
		return execvp(value, argv + 2);
	else if (!strcmp(action, "use-after-free"))
		use_after_free();
	return 0;
}
