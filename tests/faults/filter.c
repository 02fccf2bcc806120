// SPDX-License-Identifier: MIT
#include "filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Two instructions for each call, and the fixed ones before and after them. */
#define MAX_CALLS 24
#define MAX_CODE  (2 * MAX_CALLS + 8)

struct code {
	struct sock_filter at[MAX_CODE];
	unsigned short n;
};

static void load(struct code *c, size_t offset)
{
	c->at[c->n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset);
}

/* Continues if the loaded word equals this one, else skips that number of instructions. */
static void unless_equal_skip(struct code *c, unsigned word, unsigned char instructions)
{
	c->at[c->n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0, instructions);
}

static void answer(struct code *c, unsigned action)
{
	c->at[c->n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

static void begin(struct code *c, const long *calls, size_t n, unsigned action)
{
	c->n = 0;
	load(c, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < n && i < MAX_CALLS; i++) {
		unless_equal_skip(c, (unsigned)calls[i], 1);
		answer(c, action);
	}
}

static bool install_by(int (*own)(int option, ...), struct code *c)
{
	struct sock_fprog program = { .len = c->n, .filter = c->at };

	return !own(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !own(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static bool install(struct code *c)
{
	return install_by(prctl, c);
}

static bool install_by_seccomp(struct code *c)
{
	struct sock_fprog program = { .len = c->n, .filter = c->at };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

bool filter_deny_by(int (*own)(int option, ...), const long *calls, size_t n, int error)
{
	struct code c;

	begin(&c, calls, n, SECCOMP_RET_ERRNO | (unsigned)error);
	answer(&c, SECCOMP_RET_ALLOW);
	return install_by(own, &c);
}

bool filter_deny(const long *calls, size_t n, int error)
{
	return filter_deny_by(prctl, calls, n, error);
}

bool filter_kill(const long *calls, size_t n, enum filter_way way)
{
	struct code c;

	begin(&c, calls, n, SECCOMP_RET_KILL);
	answer(&c, SECCOMP_RET_ALLOW);
	return way == FILTER_BY_SECCOMP ? install_by_seccomp(&c) : install(&c);
}

bool filter_allow_only(const long *calls, size_t n)
{
	struct code c;

	begin(&c, calls, n, SECCOMP_RET_ALLOW);
	unless_equal_skip(&c, SYS_prctl, 3);
	load(&c, offsetof(struct seccomp_data, args[0])); /* little-endian: the low word */
	unless_equal_skip(&c, PR_GET_TSC, 1);
	answer(&c, SECCOMP_RET_ALLOW);
	answer(&c, SECCOMP_RET_KILL);
	return install(&c);
}
