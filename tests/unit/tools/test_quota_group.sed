# SPDX-License-Identifier: MIT

#: tools/bench/quota_group.c
s/	return hasmntopt(&mount, "cpu");/	return strstr(controllers, "cpu");/
s/while (ret->version != 1 \&\& getline/while (!ret->version \&\& getline/
s/		if (!path)/		if (0)/
s/	path\[strcspn(path, "\\n")\] = '\\0';/	;/
s/strlen(path) >= sizeof(ret->path) ||/strlen(path) >= sizeof(ret->path) - 1 ||/
s/strlen(path) >= sizeof(ret->path) ||/strlen(path) > sizeof(ret->path) ||/
s/ret->version = controllers\[1\] ? 1 : 2;/ret->version = 1;/
s/		return !strcmp(mount->mnt_type, "cgroup2");/		return true;/
s/return !strcmp(mount->mnt_type, "cgroup") \&\& hasmntopt(mount, "cpu");/return !strcmp(mount->mnt_type, "cgroup");/
s/return !strcmp(mount->mnt_type, "cgroup") \&\& hasmntopt(mount, "cpu");/return hasmntopt(mount, "cpu");/
s/strlen(mount->mnt_dir) < sizeof(ret->mount)/strlen(mount->mnt_dir) <= sizeof(ret->mount)/
s/strlen(mount->mnt_dir) < sizeof(ret->mount)/strlen(mount->mnt_dir) < sizeof(ret->mount) - 1/
s/	case EOPNOTSUPP:/	case ENOTSUP + 1000:/
