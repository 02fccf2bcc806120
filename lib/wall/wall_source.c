// SPDX-License-Identifier: MIT
/* What failed calls mean for a question to a source: lib/wall/wall_source.h. */
#include "wall/wall_source.h"

#include <errno.h>

#include "arch/arch.h"
#include "machine/env.h"

COLD uint32_t hpt_wall_ask_failed(struct hpt_wall_ask *ask, int err)
{
	ask->error = err == -HPT_ENOTDEVICE ? ENODEV : -err;
	switch (err) {
	case -HPT_ENOTDEVICE:
	case -EOPNOTSUPP:
		return HPT_WALL_REASON_NOT_DEVICE;
	case -ENOENT:
	case -ENOTDIR:
	case -ENODEV:
	case -ENXIO:
	case -ECONNREFUSED:
		return HPT_WALL_REASON_ABSENT;
	case -EACCES:
	case -EPERM:
		return HPT_WALL_REASON_DENIED;
	case -ETIMEDOUT:
		return HPT_WALL_REASON_NO_ANSWER;
	case -ERANGE:
		return HPT_WALL_REASON_ABSURD;
	default:
		return HPT_WALL_REASON_FAILED;
	}
}
