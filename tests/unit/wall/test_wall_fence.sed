# SPDX-License-Identifier: MIT

#: lib/wall/wall_read.c
s/^	arch_fence_loads();/	;/

#: lib/wall/wall_keeper.c
s/^	arch_fence_loads();/	;/

#: lib/wall/vmclock.c
s/^	arch_fence_loads();/	;/
