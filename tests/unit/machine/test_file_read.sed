# SPDX-License-Identifier: MIT

#: lib/machine/file_read.c
/^COLD ssize_t hpt_file_read/,/^}/s/^\tclose(fd);$/\t;/
s/O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY/O_RDONLY | O_CLOEXEC | O_NOCTTY/
s/O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY/O_RDONLY | O_NONBLOCK | O_NOCTTY/
s/n = read(fd, buf, size);/n = read(fd, buf, size - 1);/
