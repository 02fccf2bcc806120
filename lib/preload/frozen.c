// SPDX-License-Identifier: MIT
/* Looks at freezer.state and cgroup.freeze: lib/preload/frozen.h. */
#include "preload/frozen.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"

static int64_t ns_of(const struct statx_timestamp *t)
{
	return t->tv_sec * NS_PER_S + t->tv_nsec;
}

/*
 * By statx(2), since glibc 2.33 has another version of stat(). A file that nobody has written has the time at which
 * somebody first looked at it, as the time of its reading too. The first write gives it two times of two clocks:
 * fs/kernfs/inode.c.
 */
static COLD int64_t written_ns(const char *path)
{
	struct statx st = { 0 };

	if (syscall(SYS_statx, AT_FDCWD, path, 0L, (long)(STATX_MTIME | STATX_ATIME), &st))
		return 0;
	return ns_of(&st.stx_mtime) == ns_of(&st.stx_atime) ? 0 : ns_of(&st.stx_mtime);
}

static COLD void look(struct hpt_cgroups *g, int version)
{
	const char *name = version == 1 ? "/freezer.state" : "/cgroup.freeze";
	int64_t *latest_ns = g->ctx, ns;

	memcpy(g->folder + g->length, name, strlen(name) + 1);
	ns = written_ns(g->folder);
	g->folder[g->length] = '\0';
	if (ns > *latest_ns)
		*latest_ns = ns;
}

COLD int64_t hpt_frozen_latest_ns(struct hpt_cgroups *g, const struct hpt_env *env)
{
	int64_t latest_ns = 0;

	g->env = env;
	g->controller = "freezer";
	g->look = look;
	g->ctx = &latest_ns;
	hpt_cgroup_each(g);
	return latest_ns;
}
