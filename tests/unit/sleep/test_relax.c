// SPDX-License-Identifier: MIT
/* The instruction by which a spinning thread waits: the choice of it, its encoding and its operands. */
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "unit.h"

#include "arch/arch.h"
#include "fake_env.h"
#include "sleep/relax.h"

static enum hpt_relax chosen(const struct fake_leaf *leaves, size_t n)
{
	fake.leaves = leaves;
	fake.n_leaves = n;
	return hpt_relax_choose(fake_env.cpuid, fake_env.cpuid_ctx);
}

static void cpuid_decides(void **state)
{
	static const struct fake_leaf intel[] = { { 0, { 0x1b } }, { 7, { 0, 0, 1u << 5, 0 } },
						 { 0x80000000, { 0x80000008 } } };
	static const struct fake_leaf amd[] = { { 0, { 0x10 } }, { 0x80000000, { 0x80000008 } },
					       { 0x80000001, { 0, 0, 1u << 29, 0 } } };
	static const struct fake_leaf both[] = { { 0, { 0x10 } }, { 7, { 0, 0, 1u << 5, 0 } },
						{ 0x80000000, { 0x80000008 } },
						 { 0x80000001, { 0, 0, 1u << 29, 0 } } };
	static const struct fake_leaf neither[] = { { 0, { 0x16 } }, { 7, { 0, 1u << 5, ~(1u << 5), 1u << 5 } },
						    { 0x80000000, { 0x80000008 } },
						    { 0x80000001, { 0, 0, ~(1u << 29), 1u << 29 } } };

	(void)state;
	assert_int_equal(chosen(intel, 3), HPT_RELAX_UMWAIT);
	assert_int_equal(chosen(amd, 3), HPT_RELAX_MWAITX);
	assert_int_equal(chosen(both, 4), HPT_RELAX_UMWAIT);
	assert_int_equal(chosen(neither, 4), HPT_RELAX_PAUSE);
	assert_int_equal(chosen(NULL, 0), HPT_RELAX_PAUSE);
}

/* Leaves beyond the processor's range return the values of another leaf. */
static void leaves_that_are_not_there_are_not_believed(void **state)
{
	static const struct fake_leaf old[] = { { 0, { 6 } }, { 7, { 0, 0, 1u << 5, 0 } },
					       { 0x80000000, { 0x80000000 } },
						{ 0x80000001, { 0, 0, 1u << 29, 0 } } };
	static const struct fake_leaf older[] = { { 0, { 2 } }, { 0x80000000, { 0xdeadbeef } },
						 { 0x80000001, { 0, 0, 1u << 29, 0 } } };

	(void)state;
	assert_int_equal(chosen(old, 4), HPT_RELAX_PAUSE);
	assert_int_equal(chosen(older, 3), HPT_RELAX_PAUSE);
}

#if defined(HPT_ARCH_X86) && defined(__x86_64__)

#define NOW   UINT64_C(0x123456789)
#define UNTIL UINT64_C(0x2fedcba98)

/* The instruction that was executed, if this processor lacks it: it traps, is recorded and skipped. */
static struct {
	volatile sig_atomic_t monitors, waits, wrong;
	enum hpt_relax kind;
	const void *line;
	void (*between)(void);
} seen;

static size_t umonitor_length(const unsigned char *code, const greg_t *regs)
{
	size_t prefix = code[1] == 0x41 ? 2 : 1; /* REX.B */
	static const int low[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI };

	if (code[0] != 0xf3 || code[prefix] != 0x0f || code[prefix + 1] != 0xae || (code[prefix + 2] & 0xf8) != 0xf0)
		return 0;
	if (prefix == 1 && (const void *)regs[low[code[3] & 7]] != seen.line)
		seen.wrong++;
	return prefix + 3;
}

static bool is_umwait(const unsigned char *code, const greg_t *regs)
{
	if (memcmp(code, "\xf2\x0f\xae\xf1", 4))
		return false;
	if ((uint32_t)regs[REG_RCX] != 1 || (uint32_t)regs[REG_RAX] != (uint32_t)UNTIL ||
	    (uint32_t)regs[REG_RDX] != UNTIL >> 32)
		seen.wrong++;
	return true;
}

static void on_illegal(int sig, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *code = (const unsigned char *)regs[REG_RIP];
	size_t length = umonitor_length(code, regs);

	(void)sig, (void)info;
	if (length) {
		seen.monitors++;
		if (seen.between)
			seen.between();
	} else if (is_umwait(code, regs)) {
		seen.waits++;
		length = 4;
	} else if (!memcmp(code, "\x0f\x01\xfa", 3)) {
		seen.monitors++;
		if ((const void *)regs[REG_RAX] != seen.line || (uint32_t)regs[REG_RCX] || (uint32_t)regs[REG_RDX])
			seen.wrong++;
		if (seen.between)
			seen.between();
		length = 3;
	} else if (!memcmp(code, "\x0f\x01\xfb", 3)) {
		seen.waits++;
		if ((uint32_t)regs[REG_RBX] != 100000 || (uint32_t)regs[REG_RCX] != 2 ||
		    (uint32_t)regs[REG_RAX] != 0xf0)
			seen.wrong++;
		length = 3;
	} else {
		abort();
	}
	regs[REG_RIP] += (greg_t)length;
}

static _Atomic uint32_t word;

static void ring(void)
{
	atomic_store(&word, 1);
}

static void run(enum hpt_relax kind, void (*between)(void))
{
	struct sigaction action = { .sa_sigaction = on_illegal, .sa_flags = SA_SIGINFO }, before;

	memset(&seen, 0, sizeof(seen));
	seen.line = &word;
	seen.between = between;
	atomic_store(&word, 0);
	sigaction(SIGILL, &action, &before);
	hpt_relax_until(kind, &word, 0, NOW, UNTIL);
	sigaction(SIGILL, &before, NULL);
	assert_int_equal(seen.wrong, 0);
}

static void watches_then_waits(void **state)
{
	(void)state;
	for (enum hpt_relax kind = HPT_RELAX_UMWAIT; kind <= HPT_RELAX_MWAITX; kind++) {
		run(kind, NULL);
		if (!seen.monitors) {
			note("this processor has it: executed, its operands not checked");
			continue;
		}
		assert_int_equal(seen.monitors, 1);
		assert_int_equal(seen.waits, 1);
	}
}

/* A change after the monitor and before the wait: the word is checked in between, so there is no wait. */
static void does_not_wait_for_what_has_happened(void **state)
{
	(void)state;
	for (enum hpt_relax kind = HPT_RELAX_UMWAIT; kind <= HPT_RELAX_MWAITX; kind++) {
		run(kind, ring);
		assert_int_equal(seen.waits, 0);
	}
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpuid_decides),
		cmocka_unit_test(leaves_that_are_not_there_are_not_believed),
#if defined(HPT_ARCH_X86) && defined(__x86_64__)
		cmocka_unit_test(watches_then_waits),
		cmocka_unit_test(does_not_wait_for_what_has_happened),
#endif
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("relax", tests, NULL, NULL);
}
