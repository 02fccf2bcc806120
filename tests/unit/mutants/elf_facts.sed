# SPDX-License-Identifier: MIT

#: tools/run/elf_facts.c
s/return a.class == b.class \&\& /return /
s/ \&\& a.data == b.data//
s/ \&\& a.machine == b.machine//
s/return n > 0 \&\& memchr(ret, '\\0', (size_t)n);/return n > 0;/
s/ph->p_filesz > sizeof(path) ||/0 ||/
s/	name = slash ? slash + 1 : path;/	name = path;/
s/!strncmp(soname, "libasan.so.", 11) || //
s/ || !strncmp(soname, "libclang_rt.asan", 16)//
s/"libasan.so.", 11/"libasan.so.", 7/
s/	    (eh.e_type != ET_EXEC \&\& eh.e_type != ET_DYN) ||/	    0 ||/
s/ || !eh.e_phnum ||/ ||/
s/ph->p_type == PT_LOAD \&\& !ph->p_offset/ph->p_type == PT_LOAD \&\& 0/
