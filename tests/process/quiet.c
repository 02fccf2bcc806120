// SPDX-License-Identifier: MIT
/*
 * Side effects that the library must not have: at load no thread, file, allocation, signal handler, change of affinity
 * or of errno; in reads and conversions no allocation and, on a counter that user space reads itself, no system call.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/system.h>

#include "process.h"

/* ---- Allocations: these functions replace libc's, and count --------------------------------------------- */

static unsigned allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#ifndef SANITIZED
void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	allocations++;
	return __libc_memalign(alignment, size);
}
#endif

/* ---- The process as the library's constructor found and left it ----------------------------------------- */

struct snapshot {
	bool taken;
	unsigned allocations;
	int lowest_fd, error;
	cpu_set_t affinity[65536 / CPU_SETSIZE]; /* the kernel refuses to fill a set smaller than its own */
	void (*handlers[32])(int);
};

static struct snapshot before, after;

static void take(struct snapshot *s)
{
	s->error = errno;
	s->allocations = allocations;
	s->lowest_fd = dup(STDIN_FILENO);
	close(s->lowest_fd);
	sched_getaffinity(0, sizeof(s->affinity), s->affinity);
	for (int sig = 1; sig < 32; sig++) {
		struct sigaction action;

		s->handlers[sig] = sigaction(sig, NULL, &action) ? SIG_DFL : action.sa_handler;
	}
	s->taken = true;
	errno = s->error;
}

/* Runs before the constructors of the libraries that the program is linked with. */
static void preinit(void)
{
	errno = ELOOP;
	take(&before);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit_entry)(void) = preinit;

static unsigned count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned n = 0;

	while (tasks && readdir(tasks))
		n++;
	if (tasks)
		closedir(tasks);
	return n - 2; /* . and .. */
}

static void check_load(void)
{
	CHECK(before.taken, "preinit did not run");
	CHECK(after.error == ELOOP, "errno became %d", after.error);
	CHECK(after.allocations == before.allocations, "%u allocations at load",
	      after.allocations - before.allocations);
	CHECK(after.lowest_fd == before.lowest_fd, "a file stayed open");
	CHECK(!memcmp(after.affinity, before.affinity, sizeof(before.affinity)), "affinity changed");
	CHECK(!memcmp(after.handlers, before.handlers, sizeof(before.handlers)), "a signal handler was installed");
}

/* ---- Reads and conversions -------------------------------------------------------------------------------- */

static void use_conversions(void)
{
	char text[HPT_TIME_FORMAT_SIZE], length[HPT_TICKS_FORMAT_SIZE];
	hpt_time_t t = hpt_now(NULL), ret;
	struct hpt_timespec ts;
	int64_t ns;

	CHECK(hpt_ticks_to_ns(NULL, hpt_ns_to_ticks(NULL, 1000)) >= 999, "conversion");
	CHECK(!hpt_time_to_unix_ns(NULL, t, &ns) && ns > 0 && !hpt_time_from_unix_ns(NULL, ns, &ret), "Unix time");
	CHECK(!hpt_time_to_timespec(NULL, t, &ts) && !hpt_time_from_timespec(NULL, &ts, &ret), "timespec");
	CHECK(hpt_time_format(NULL, t, text, sizeof(text)) == 30 && !hpt_time_parse(NULL, text, &ret), "text");
	CHECK(hpt_ticks_format(NULL, 1, length, sizeof(length)) == 13 && !hpt_ticks_to_timespec(NULL, 1, &ts),
	      "a tick");
	CHECK(!hpt_time_add_ns(NULL, t, 1, &ret), "a sum");
	CHECK(hpt_time_min(NULL) < t && t < hpt_time_max(NULL), "ends");
	/* Above 5 GHz they do not fit into 63 bits. */
	CHECK(hpt_time_to_unix_ticks(NULL, t, &ns) == 0 || hpt_time_to_unix_ticks(NULL, t, &ns) == -ERANGE, "ticks");
}

static void use_everything(void)
{
	struct hpt_clock_info clock_info;
	struct hpt_source_info source_info;

	CHECK(hpt_now_ns(NULL) > 0, "no time");
	use_conversions();
	CHECK(!hpt_clock_get_info(NULL, &clock_info, sizeof(clock_info)), "clock info");
	CHECK(!hpt_source_get_info(HPT_SOURCE_AUTO, &source_info, sizeof(source_info)), "source info");
	CHECK(hpt_now_monotonic_ns(NULL) > 0 && hpt_now_boottime_ns(NULL) > 0 && hpt_now_tai_ns(NULL) > 0, "lines");
	CHECK(hpt_now_unix_ns(NULL) > 0 && hpt_kernel_hz() < 100000 && hpt_clock_default(), "the rest");
}

static void check_errno(void)
{
	errno = EXDEV;
	use_everything();
	CHECK(hpt_cpu_get_info(&(struct hpt_cpu_info){ 0 }, sizeof(struct hpt_cpu_info)) <= 0, "the processor");
	CHECK(errno == EXDEV, "errno became %d", errno);
}

/* Only exit may be called from here on; anything else kills. */
static bool forbid_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
	};
	struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]), .filter = filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static void read_without_system_calls(void)
{
	int64_t last = 0, ns;

	if (!forbid_system_calls())
		_exit(SKIP);
	for (int i = 0; i < 1000000; i++) {
		ns = hpt_now_ns(NULL);
		if (ns < last || hpt_now(NULL) <= 0 || hpt_now_unordered(NULL) <= 0 || hpt_ticks_to_ns(NULL, i) < 0)
			_exit(1);
		last = ns;
	}
	_exit(0);
}

static void check_system_calls(void)
{
	struct hpt_source_info info;
	int status;
	pid_t pid;

	CHECK(!hpt_source_get_info(HPT_SOURCE_AUTO, &info, sizeof(info)), "no info");
	if (info.source != HPT_SOURCE_TSC && info.source != HPT_SOURCE_HPET)
		return;
	pid = fork();
	if (!pid)
		read_without_system_calls();
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && (!WEXITSTATUS(status) || WEXITSTATUS(status) == SKIP),
	      "a read made a system call or failed: status %#x", (unsigned)status);
}

int main(void)
{
	unsigned allocated;

	take(&after);
	check_load();
	allocated = allocations;
	use_everything();
	CHECK(allocations == allocated, "%u allocations in reads and conversions", allocations - allocated);
	CHECK(count_threads() == 1, "%u threads", count_threads());
	check_errno();
	check_system_calls();
	return failures != 0;
}
