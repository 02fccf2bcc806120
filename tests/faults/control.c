// SPDX-License-Identifier: MIT
/* A program without the library: if it fails, libc, the emulator or the tool around it is at fault. */
#include <stdio.h>

int main(void)
{
	return puts("{}") < 0;
}
