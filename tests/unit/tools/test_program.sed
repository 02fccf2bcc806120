# SPDX-License-Identifier: MIT

#: tools/cli/program.c
s/return folder \&\& \*folder ? folder : NULL;/return folder;/
s/ret.s\[n > 0 ? n : 0\] = '\\0';/;/
s/		\*slash = '\\0';/		;/
/^static char \*existing/,/^}/s/if (!access(path, F_OK))/if (1)/
s/	if (chosen)$/	if (0)/
s/	if (\*own.s)$/	if (1)/
s/if (!path \&\& \*own.s)/if (!path)/
s/if (!path \&\& \*own.s)/if (*own.s)/
s/return path ? path : existing/return existing/
s/return EXIT_NOT_FOUND;/;/
s/return EXIT_NOT_RUN;/return EXIT_NOT_FOUND;/
s/chosen ? chosen : HPT_EXEC_FOLDER, cmd->program)/HPT_EXEC_FOLDER, cmd->program)/
s|xasprintf("%s/%s", HPT_EXEC_FOLDER, name)|xasprintf(HPT_EXEC_FOLDER "/%s", name)|
