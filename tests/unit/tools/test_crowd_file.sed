# SPDX-License-Identifier: MIT

#: tools/run/crowd_file.c
s/hash = (hash ^ bytes\[i\]) \* 16777619u;/;/
s/return S_ISREG(st->st_mode) \&\& /return /
s/st->st_uid == geteuid() \&\& //
s/ \&\& !(st->st_mode & (S_IRWXG | S_IRWXO));/;/
s/pwrite(fd, &head, offsetof(struct hpt_shared_crowd, crowd), 0) < 0/0/
s/, .cpus = n_cpus };/ };/
s/ | O_NOFOLLOW//
s/S_IRUSR | S_IWUSR);/0666);/
s/(st.st_size \&\& st.st_size != sizeof(struct hpt_shared_crowd))/0/
