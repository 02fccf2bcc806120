# SPDX-License-Identifier: MIT

#: lib/wall/wall_source.c
s/err == -HPT_ENOTDEVICE ? ENODEV : -err/-err/
/^	case -HPT_ENOTDEVICE:/d
/^	case -EOPNOTSUPP:/d
/^	case -ENOENT:/d
/^	case -ENOTDIR:/d
/^	case -ENODEV:/d
/^	case -ENXIO:/d
/^	case -ECONNREFUSED:/d
/^	case -EACCES:/d
/^	case -EPERM:/d
s/		return HPT_WALL_REASON_NO_ANSWER;/		return HPT_WALL_REASON_FAILED;/
s/		return HPT_WALL_REASON_ABSURD;/		return HPT_WALL_REASON_FAILED;/
