// SPDX-License-Identifier: MIT
/*
 * syscall(2), by which runtimes wait for words in memory, and prctl(2). A filter of system calls that they install is
 * seen. A function of C cannot stand for syscall(): its frame would be there twice after vfork(), and on another stack
 * after clone(). So it is a few instructions, which lead all other calls on by a jump. lib/preload/hook.h
 */
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sys/syscall.h>

#include "preload/hook.h"
#include "preload/variants.h"
#include "preload/wait.h"

/* As <sys/prctl.h> has it, but with all that a call may have: a function with "..." would pass on less. */
HOOK int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

HOOK int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	if (option == PR_SET_SECCOMP)
		hpt_variants_forbid();
	return hpt_next()->prctl ? hpt_next()->prctl(option, a, b, c, d) : hpt_missing();
}

#if HPT_SEES_SYSCALLS

/* ---- The function of a few instructions -------------------------------------------------------------------- */

/* Where calls go on; NULL: not known yet. */

__attribute__((used)) HIDDEN void *hpt_syscall_next;

/* Called by the instructions below. */
HIDDEN long hpt_syscall_special(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
				unsigned long e, unsigned long f);
HIDDEN void hpt_syscall_set(void);

#define STRING(x)  #x
#define NUMBER(x)  STRING(x)

#ifdef __x86_64__
/* All registers of arguments are kept while the other functions are found; rax is free: it counts vector registers. */
__asm__(".pushsection .text\n"
	".globl syscall\n.type syscall, @function\n.balign 16\n"
	"syscall:\n.cfi_startproc\n"
	"	endbr64\n"
	"	cmpq $" NUMBER(SYS_futex) ", %rdi\n	je hpt_syscall_special\n"
	"	cmpq $" NUMBER(SYS_seccomp) ", %rdi\n	je hpt_syscall_special\n"
	"	cmpq $" NUMBER(SYS_prctl) ", %rdi\n	je hpt_syscall_special\n"
	"	movq hpt_syscall_next(%rip), %rax\n"
	"	testq %rax, %rax\n	je 1f\n"
	"	jmp *%rax\n"
	"1:	pushq %rdi\n.cfi_adjust_cfa_offset 8\n"
	"	pushq %rsi\n.cfi_adjust_cfa_offset 8\n"
	"	pushq %rdx\n.cfi_adjust_cfa_offset 8\n"
	"	pushq %rcx\n.cfi_adjust_cfa_offset 8\n"
	"	pushq %r8\n.cfi_adjust_cfa_offset 8\n"
	"	pushq %r9\n.cfi_adjust_cfa_offset 8\n"
	"	subq $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
	"	call hpt_syscall_set\n"
	"	addq $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
	"	popq %r9\n.cfi_adjust_cfa_offset -8\n"
	"	popq %r8\n.cfi_adjust_cfa_offset -8\n"
	"	popq %rcx\n.cfi_adjust_cfa_offset -8\n"
	"	popq %rdx\n.cfi_adjust_cfa_offset -8\n"
	"	popq %rsi\n.cfi_adjust_cfa_offset -8\n"
	"	popq %rdi\n.cfi_adjust_cfa_offset -8\n"
	"	movq hpt_syscall_next(%rip), %rax\n"
	"	jmp *%rax\n"
	".cfi_endproc\n.size syscall, . - syscall\n.popsection\n");
#else
/* hint 34 is "bti c". */
__asm__(".pushsection .text\n"
	".globl syscall\n.type syscall, %function\n.balign 16\n"
	"syscall:\n.cfi_startproc\n"
	"	hint 34\n"
	"	cmp x0, #" NUMBER(SYS_futex) "\n	b.eq 2f\n"
	"	mov x16, #" NUMBER(SYS_seccomp) "\n	cmp x0, x16\n	b.eq 2f\n"
	"	cmp x0, #" NUMBER(SYS_prctl) "\n	b.eq 2f\n"
	"	adrp x16, hpt_syscall_next\n	ldr x16, [x16, :lo12:hpt_syscall_next]\n"
	"	cbz x16, 1f\n"
	"	br x16\n"
	"2:	b hpt_syscall_special\n"
	"1:	stp x29, x30, [sp, #-80]!\n"
	".cfi_def_cfa_offset 80\n.cfi_offset 29, -80\n.cfi_offset 30, -72\n"
	"	stp x0, x1, [sp, #16]\n	stp x2, x3, [sp, #32]\n"
	"	stp x4, x5, [sp, #48]\n	stp x6, x7, [sp, #64]\n"
	"	bl hpt_syscall_set\n"
	"	ldp x0, x1, [sp, #16]\n	ldp x2, x3, [sp, #32]\n"
	"	ldp x4, x5, [sp, #48]\n	ldp x6, x7, [sp, #64]\n"
	"	ldp x29, x30, [sp], #80\n"
	".cfi_def_cfa_offset 0\n.cfi_restore 29\n.cfi_restore 30\n"
	"	adrp x16, hpt_syscall_next\n	ldr x16, [x16, :lo12:hpt_syscall_next]\n"
	"	br x16\n"
	".cfi_endproc\n.size syscall, . - syscall\n.popsection\n");
#endif

__attribute__((used)) void hpt_syscall_set(void)
{
	__builtin_memcpy(&hpt_syscall_next, &hpt_next()->syscall, sizeof(hpt_syscall_next));
}

/* ---- Words in memory --------------------------------------------------------------------------------------- */

struct word_wait {
	struct hpt_wait wait; /* first */
	uint32_t *word;
	uint32_t value, mask;
	int op;
	bool is_for;          /* a duration: FUTEX_WAIT */
};

/* What the kernel returns for a wake. */
#define WOKEN 1

static int wait_by_futex(struct hpt_wait *w, int64_t ns, int64_t until_ns)
{
	const struct word_wait *f = (const struct word_wait *)w;
	struct timespec ts = hpt_timespec_of(f->is_for ? ns : until_ns);
	long r = hpt_own.syscall(SYS_futex, f->word, f->op, f->value, &ts, NULL, f->mask);

	if (r >= 0 || (errno == EAGAIN && w->has_waited)) /* it has changed between two waits */
		return WOKEN;
	return errno == ETIMEDOUT ? 0 : -errno;
}

/* A word that the kernel has not read may be none: it answers EFAULT for it. */
static int look(struct hpt_wait *w)
{
	const struct word_wait *f = (const struct word_wait *)w;
	int r;

	if (!w->has_waited) {
		r = wait_by_futex(w, 1, w->nap.now_ns);
		w->has_waited = true;
		return r;
	}
	for (int i = 0; i < HPT_WAIT_WORD_LOOKS; i++) {
		if (__atomic_load_n(f->word, __ATOMIC_ACQUIRE) != f->value)
			return WOKEN;
		arch_relax();
	}
	return 0;
}

static const struct hpt_wait_kind by_futex = { .wait = wait_by_futex, .look = look };

/* By those commands of the kernel that wait for a change of the word. */
static bool begin_word(struct word_wait *f, const struct timespec *time)
{
	int command = f->op & FUTEX_CMD_MASK;
	clockid_t id = f->op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;

	if (!hpt_is_time_of_kernel(time))
		return false;
	f->is_for = command == FUTEX_WAIT;
	if (f->is_for)
		return id == CLOCK_MONOTONIC && hpt_wait_begin_for(&f->wait, hpt_timespec_ns(time));
	return command == FUTEX_WAIT_BITSET && hpt_wait_begin_until(&f->wait, id, hpt_timespec_ns(time));
}

static bool is_wait(int op)
{
	int command = op & FUTEX_CMD_MASK;

	return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

static long take_word(struct word_wait *f)
{
	int r = hpt_wait_take(&f->wait);

	if (!r && f->wait.kind->look(&f->wait))
		r = WOKEN;
	return r > 0 ? 0 : hpt_result_of(r ? -r : ETIMEDOUT);
}

/* True: it was served. */
static __attribute__((noinline)) bool serve_word(struct word_wait w, const struct timespec *time, long *ret)
{
	if (!begin_word(&w, time))
		return false;
	*ret = take_word(&w);
	return true;
}

__attribute__((used)) long hpt_syscall_special(long number, unsigned long a, unsigned long b, unsigned long c,
					       unsigned long d, unsigned long e, unsigned long f)
{
	long r;

	if (number == SYS_futex && is_wait((int)b) && d && hpt_is_wait_served(HPT_NAME_SYSCALL) &&
	    serve_word((struct word_wait){
		    .wait = { .nap = NAP(HPT_CALL_FUTEX), .kind = &by_futex }, .word = (uint32_t *)a, .op = (int)b,
		    .value = (uint32_t)c, .mask = (uint32_t)f }, (const struct timespec *)d, &r))
		return r;
	if (number == SYS_seccomp || (number == SYS_prctl && a == PR_SET_SECCOMP))
		hpt_variants_forbid();
	return hpt_next()->syscall ? hpt_next()->syscall(number, a, b, c, d, e, f) : hpt_missing();
}

#endif
