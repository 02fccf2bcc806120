# SPDX-License-Identifier: MIT

#: tools/run/elf_facts.c
s/return n > 0 \&\& memchr(ret, '\\0', (size_t)n);/return n > 0;/
s/ph->p_filesz > sizeof(path) ||/0 ||/
s/	return \*path;/	return true;/
s/!strncmp(soname, "libasan.so.", 11) || //
s/ || !strncmp(soname, "libclang_rt.asan", 16)//
s/"libasan.so.", 11/"libasan.so.", 7/
s/	    (eh->e_type != ET_EXEC \&\& eh->e_type != ET_DYN) ||/	    0 ||/
s/ || !eh->e_phnum ||/ ||/
s/dyn.d_tag == DT_RUNPATH || (dyn.d_tag == DT_RPATH/(dyn.d_tag == DT_RPATH/
s/dyn.d_tag == DT_RUNPATH || (dyn.d_tag == DT_RPATH \&\& !has_runpath)/dyn.d_tag == DT_RUNPATH/
s/(dyn.d_tag == DT_RPATH \&\& !has_runpath)/dyn.d_tag == DT_RPATH/
s/char \*names = malloc(size + 1), wanted\[NAME_MAX\] = "";/char *names = malloc(size + 1), wanted[NAME_MAX] = "l";/
s/n = strlen(name) + 2;/n = strlen(name) + 1;/
s/bytes < NAMES_MAX_BYTES ? (size_t)bytes : NAMES_MAX_BYTES/NAMES_MAX_BYTES/

#: tools/run/elf_kind.c elf_facts
s/return a.class == b.class \&\& /return /
s/ \&\& a.data == b.data//
s/ \&\& a.machine == b.machine//
s/ph->p_type == PT_LOAD \&\& !ph->p_offset/ph->p_type == PT_LOAD \&\& 0/
