// SPDX-License-Identifier: MIT
/* The fake HPET. The script works by page faults: each load traps, gets the script's value, and is skipped. */
#include "fake_hpet.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096u

static struct fake_hpet *running;

void fake_hpet_new(struct fake_hpet *h)
{
	int fd = memfd_create("fake-hpet", MFD_CLOEXEC);

	*h = (struct fake_hpet){ .period = FAKE_HPET_PERIOD };
	if (fd < 0 || ftruncate(fd, PAGE))
		abort();
	h->rw = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	h->page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (h->rw == MAP_FAILED || h->page == MAP_FAILED)
		abort();
	fake_hpet_set(h, FAKE_CAPS, 0x8086a201); /* vendor, legacy route, 64 bits, three comparators, revision 1 */
	fake_hpet_set(h, FAKE_PERIOD, FAKE_HPET_PERIOD);
	fake_hpet_set(h, FAKE_CONFIG, 1);
}

void fake_hpet_set(struct fake_hpet *h, enum fake_hpet_reg offset, uint32_t value)
{
	__atomic_store_n((volatile uint32_t *)(h->rw + offset), value, __ATOMIC_RELAXED);
	if (offset == FAKE_PERIOD && value)
		h->period = value;
}

void fake_hpet_set_counter(struct fake_hpet *h, uint64_t value)
{
	__atomic_store_n((volatile uint64_t *)(h->rw + FAKE_COUNTER), value, __ATOMIC_RELEASE);
}

uint64_t fake_hpet_counter(const struct fake_hpet *h)
{
	return __atomic_load_n((volatile uint64_t *)(h->rw + FAKE_COUNTER), __ATOMIC_ACQUIRE);
}

static uint64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void *count(void *arg)
{
	struct fake_hpet *h = arg;
	uint64_t value = h->start, zero = raw_ns();

	while (!atomic_load_explicit(&h->stop, memory_order_relaxed)) {
		if (h->step)
			value += h->step;
		else
			value = h->start + (raw_ns() - zero) * 1000000 / h->period;
		fake_hpet_set_counter(h, value);
	}
	return NULL;
}

void fake_hpet_run(struct fake_hpet *h, uint64_t start, uint64_t step)
{
	h->start = start;
	h->step = step;
	fake_hpet_set_counter(h, start);
	atomic_store(&h->stop, false);
	if (pthread_create(&h->thread, NULL, count, h))
		abort();
	h->running = true;
	running = h;
}

void fake_hpet_stop(struct fake_hpet *h)
{
	if (!h->running)
		return;
	running = NULL;
	atomic_store(&h->stop, true);
	pthread_join(h->thread, NULL);
	h->running = false;
}

void fake_hpet_wait_tick(void)
{
	uint64_t first;

	if (!running)
		return;
	first = fake_hpet_counter(running);
	while (fake_hpet_counter(running) == first)
		sched_yield();
}

#ifdef __x86_64__
#define TRAP_FLAG 0x100

static struct fake_hpet *scripted;
static fake_load_fn *script;
uint32_t fake_hpet_loads;

static void on_load(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uint64_t offset = (uint64_t)((volatile uint8_t *)info->si_addr - scripted->page), value;
	const uint8_t *instruction = (const uint8_t *)uc->uc_mcontext.gregs[REG_RIP];
	/* The REX prefix is right before the opcode; its W bit makes the operand 64 bits wide. */
	uint32_t width = (instruction[0] & 0xf8) == 0x48 ? 8 : 4;

	if (offset >= PAGE) {
		signal(sig, SIG_DFL); /* a fault of the test's own */
		return;
	}
	if (offset >= FAKE_COUNTER) {
		fake_hpet_loads++;
		value = script((uint32_t)offset, width);
		memcpy((void *)(uintptr_t)(scripted->rw + offset), &value, width);
	}
	mprotect((void *)(uintptr_t)scripted->page, PAGE, PROT_READ);
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig, (void)info;
	uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	mprotect((void *)(uintptr_t)scripted->page, PAGE, PROT_NONE);
}

void fake_hpet_script(struct fake_hpet *h, fake_load_fn *fn)
{
	struct sigaction load = { .sa_sigaction = on_load, .sa_flags = SA_SIGINFO },
			 step = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };

	scripted = h;
	script = fn;
	fake_hpet_loads = 0;
	sigaction(SIGSEGV, &load, NULL);
	sigaction(SIGTRAP, &step, NULL);
	mprotect((void *)(uintptr_t)h->page, PAGE, PROT_NONE);
}
#endif

void fake_hpet_free(struct fake_hpet *h)
{
	fake_hpet_stop(h);
#ifdef __x86_64__
	if (scripted == h) {
		signal(SIGSEGV, SIG_DFL);
		signal(SIGTRAP, SIG_DFL);
		scripted = NULL;
	}
#endif
	munmap((void *)(uintptr_t)h->rw, PAGE);
	munmap((void *)(uintptr_t)h->page, PAGE);
}
