// SPDX-License-Identifier: MIT
/* Keeps a descriptor of the file for each thread: lib/preload/schedstat.h. */
#include "preload/schedstat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "machine/process.h"
#include "math/decimal.h"

#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

/* Above the descriptors that most programs use, and below the usual limit of 1024. */
#define LEAST_FD 800

/* Threads whose file is open at a time. */
#define MOST 128

/* Three numbers of 20 digits. */
#define TEXT_SIZE 80

/* Descriptors, each with the thread and the process it is for. Those of threads that ended are closed by later ones. */
static struct {
	_Atomic uint64_t owner; /* process << 32 | thread; 0: none */
	int fd;
} table[MOST];

static TLS struct {
	uint32_t process;  /* 0: nothing is open */
	uint32_t tried_by; /* the process that has tried to open it */
	int place;         /* in the table, if that has the thread as its owner */
	int fd;
} own;

/* Not pread() and its kin, which are points of cancellation. */
static long call(long number, long a, void *b, long c, long d)
{
	return syscall(number, a, b, c, d, 0L);
}

bool hpt_schedstat_parse(const char *text, struct hpt_schedstat *ret)
{
	int64_t queued, arrivals;

	if (hpt_decimal_take(&text) < 0 || *text++ != ' ' || (queued = hpt_decimal_take(&text)) < 0 ||
	    *text++ != ' ' || (arrivals = hpt_decimal_take(&text)) < 0 || strcmp(text, "\n") != 0)
		return false;
	*ret = (struct hpt_schedstat){ queued, (uint64_t)arrivals };
	return true;
}

/* 0; -errno; 1: the file is another one. A program may have closed the descriptor, and got its number again. */
static int read_fd(int fd, struct hpt_schedstat *ret)
{
	char text[TEXT_SIZE];
	long n = call(SYS_pread64, fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	return hpt_schedstat_parse(text, ret) ? 0 : 1;
}

/* ---- The table ------------------------------------------------------------------------------------------- */

static bool is_left(uint64_t owner, uint32_t process)
{
	return owner >> 32 != process || hpt_thread_is_gone((uint32_t)owner);
}

/* The file of a thread that is gone says so. */
static void close_left(int fd)
{
	struct hpt_schedstat stat;
	int r = read_fd(fd, &stat);

	if (!r || r == -ESRCH)
		call(SYS_close, fd, NULL, 0, 0);
}

/* True: it is the thread's now. */
static bool claim_place(int i, uint64_t me, uint32_t process, int fd)
{
	uint64_t owner = atomic_load(&table[i].owner);

	if (owner && !is_left(owner, process))
		return false;
	if (!atomic_compare_exchange_strong(&table[i].owner, &owner, me))
		return false;
	if (owner)
		close_left(table[i].fd);
	table[i].fd = fd;
	own.place = i;
	return true;
}

/* The thread's place of before, where the program has closed that descriptor, or a free one. False: all are taken. */
static bool claim(uint32_t process, int fd)
{
	uint64_t me = (uint64_t)process << 32 | hpt_thread_id();

	if (atomic_load(&table[own.place].owner) == me) {
		table[own.place].fd = fd;
		return true;
	}
	for (int i = 0; i < MOST; i++)
		if (claim_place(i, me, process, fd))
			return true;
	return false;
}

/* A number that the program is unlikely to use itself. Negative: the file cannot be opened. */
static int open_file(void)
{
	static char path[] = "/proc/thread-self/schedstat";
	int fd = (int)call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), high;

	if (fd < 0)
		return -1;
	high = fcntl(fd, F_DUPFD_CLOEXEC, LEAST_FD);
	call(SYS_close, fd, NULL, 0, 0);
	return high;
}

static COLD bool open_own(void)
{
	uint32_t process = hpt_process();
	int fd = open_file();

	own.tried_by = process;
	if (fd < 0)
		return false;
	if (!claim(process, fd)) {
		call(SYS_close, fd, NULL, 0, 0);
		return false;
	}
	own.process = process;
	own.fd = fd;
	return true;
}

bool hpt_schedstat_read(bool may_open, struct hpt_schedstat *ret)
{
	uint32_t process = hpt_process();

	if (own.process == process && !read_fd(own.fd, ret))
		return true;
	own.process = 0;
	return (may_open || own.tried_by != process) && open_own() && !read_fd(own.fd, ret);
}
