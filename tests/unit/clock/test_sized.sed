# SPDX-License-Identifier: MIT

#: lib/clock/sized.c
s/size < info_size ? (uint32_t)size : info_size/info_size/
s/^\tmemcpy(info, &filled, sizeof(filled));$/\t;/
s/^\tmemset(ret, 0, size);$/\t;/
s/^\twhile (size > known)$/\twhile (0)/
s/^\twhile (size > known)$/\twhile (size > known + 1)/
s/return size >= first;/return true;/
