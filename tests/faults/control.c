// SPDX-License-Identifier: MIT
/* Without the library: what fails here fails by libc, the emulator or the tool around it. */
#include <stdio.h>

int main(void)
{
	return puts("{}") < 0;
}
