// SPDX-License-Identifier: MIT
/* Another library with initial-exec storage: of the room that glibc keeps for all of them it takes 1280 bytes. */
static _Thread_local char room[1280] __attribute__((tls_model("initial-exec")));

char *room_of_thread(void);

char *room_of_thread(void)
{
	return room;
}
