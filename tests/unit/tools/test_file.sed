# SPDX-License-Identifier: MIT

#: tools/cli/file.c
s/if (exists \&\& !S_ISREG(st.st_mode))/if (0)/
/^static bool fail/,/^}/s/unlink(f->temporary);/;/
/^void file_abandon/,/^}/s/unlink(f->temporary);/;/
s/mode_t mode = old ? old->st_mode \& 0777 : new_mode();/mode_t mode = 0600;/
s/if (old \&\& faccessat/if (0 \&\& faccessat/
s/i <= LINKS_MAX/i < 1/
s/is_whole = fflush(to) == 0 \&\& !ferror(to)/is_whole = true/
s/	f->replaces = exists;/	f->replaces = true;/
s/	append_partial(\&f->target);/	;/
