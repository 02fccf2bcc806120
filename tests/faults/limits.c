// SPDX-License-Identifier: MIT
/* No more files or no more memory, already before the library's constructor runs. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "check.h"
#include "process.h"

static bool limited, files;
static enum kernel_word word;

static void preinit(int argc, char **argv, char **envp)
{
	int resource;
	struct rlimit limit;

	(void)envp;
	files = argc == 2 && !strcmp(argv[1], "files");
	resource = files ? RLIMIT_NOFILE : RLIMIT_AS;
	word = files ? KERNEL_UNREADABLE : kernel_word();
	limited = !getrlimit(resource, &limit);
	limit.rlim_cur = 0; /* the process keeps what it already has */
	limited = limited && !setrlimit(resource, &limit);
	errno = ELOOP;
}

AT_PREINIT(preinit);

static void check_without_files(void)
{
	static const struct refusal hpet = { HPT_REASON_HPET_MFILE, EMFILE, HPT_STAGE_OPEN };

	CHECK(open("/", O_RDONLY | O_CLOEXEC) == -1 && errno == EMFILE, "files can be opened");
	failures += check_choice(word, &hpet);
#if defined(__x86_64__) || defined(__i386__)
	failures += check_not_opened(HPT_SOURCE_HPET, &hpet);
#endif
}

static void check_without_memory(void)
{
	hpt_clock *clk = NULL;

	CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, "memory can be allocated");
	failures += check_choice(word, NULL);
	errno = EXDEV;
	CHECK(hpt_clock_open(HPT_SOURCE_OS, 0, &clk) == -ENOMEM && !clk, "a clock was opened");
	CHECK(errno == EXDEV, "errno became %d", errno);
}

int main(int argc, char **argv)
{
	int error = errno;

	(void)argv;
	if (argc != 2)
		return 2;
	CHECK(limited, "no limit was set");
	CHECK(error == ELOOP, "the constructor made errno %d", error);
	if (files)
		check_without_files();
	else
		check_without_memory();
	failures += check_clock(NULL);
	return failures != 0;
}
