# SPDX-License-Identifier: MIT

#: lib/preload/elf_object.c
s/ph->p_type == PT_LOAD \&\& address/address/
s/address - (info->dlpi_addr + ph->p_vaddr) < ph->p_memsz/address - (info->dlpi_addr + ph->p_vaddr) <= ph->p_memsz/
s/	if (!hpt_elf_object_has(info, address))$/	if (0)/
s/	return hpt_elf_object_has(info, address) ? (const void \*)address : NULL;/	return (const void *)address;/
s/!o.strings || !o.symbols || (!o.gnu_hash/!o.symbols || (!o.gnu_hash/
s/!o.strings || !o.symbols || (!o.gnu_hash/!o.strings || (!o.gnu_hash/
s/ || (!o.gnu_hash \&\& !o.hash))/)/
s/	if (soname)$/	if (0)/
s/(v->vd_ndx \& VERSION_NUMBER) != number/v->vd_ndx == 1/
s/number > 1 ? version_name/number ? version_name/
s/!version || !strncmp(version, "GLIBC_", 6)/true/
s/!version || !strncmp(version, "GLIBC_", 6)/!version/
s/	return !o->versions || !(o->versions\[i\] \& VERSION_HIDDEN);/	return true;/
s/	return !o->versions || !(o->versions\[i\] \& VERSION_HIDDEN);/	return false;/
s/s->st_shndx != SHN_UNDEF \&\& s->st_value/s->st_value/
s/s->st_shndx != SHN_UNDEF \&\& s->st_value/s->st_shndx != SHN_UNDEF/
s/ \&\& !strcmp(o->strings + s->st_name, name) / /
s/	    is_for_programs(o, i) \&\& /	    /
s/ \&\& (!\*found || is_default(o, i))//
s/hash = hash \* 33 + /hash = hash * 31 + /
s/((chain\[i - first\] | 1) == (hash | 1))/(chain[i - first] == hash)/
s/	hash = (hash ^ (hash >> 24 \& 0xf0)) \& 0x0fffffff;/	hash \&= 0x0fffffff;/
s/ == STT_GNU_IFUNC/ == STT_TLS/
