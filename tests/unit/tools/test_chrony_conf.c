// SPDX-License-Identifier: MIT
/* What hpt wall reads of chrony.conf: directives as chronyd takes them, files that it includes, and rubbish. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "wall/chrony_conf.h"

static struct chrony_conf conf;

static void take(const char *text)
{
	char line[512];

	snprintf(line, sizeof(line), "%s", text);
	chrony_conf_take(&conf, line);
}

static void check_port(const char *line, int64_t port)
{
	chrony_conf_begin(&conf, "x");
	take(line);
	if (conf.cmdport != port)
		fail_msg("'%s': %ld", line, (long)conf.cmdport);
}

static void the_daemon_of_this_machine(void **state)
{
	static const struct { const char *address; bool is_here; } rows[] = {
		{ "127.0.0.1:323", true }, { "127.9.9.9:1", true }, { "[::1]:323", true },
		{ "/run/chrony/x.sock", true }, { "192.0.2.1:323", false }, { "12.7.0.1:323", false },
		{ "[::1:2]:323", false }, { "[2001:db8::1]:1", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *path = chrony_conf_path(rows[i].address);

		assert_int_equal(path != NULL, rows[i].is_here);
		if (path && access("/etc/chrony/chrony.conf", F_OK))
			assert_string_equal(path, "/etc/chrony.conf");
		else if (path)
			assert_string_equal(path, "/etc/chrony/chrony.conf");
	}
}

static void lines_as_chronyd_takes_them(void **state)
{
	(void)state;
	check_port("", 323);
	check_port(" \t ", 323);
	check_port("cmdport 0", 0);
	check_port("  CmdPort\t257  ", 257);
	check_port("cmdport\r", 323);
	check_port("cmdport x", 323);
	check_port("cmdport -1", 323);
	check_port("cmdport 65535", 65535);
	check_port("cmdport 65536", 323);
	check_port("cmdport 99999999999999999999", 323);
	check_port("cmdports 5", 323);
	for (const char *sign = "!;#%"; *sign; sign++) {
		char line[] = " ?cmdport 0", apart[] = "? cmdport 0";

		line[1] = apart[0] = *sign;
		check_port(line, 323);
		check_port(apart, 323);
	}
}

static void settings(void **state)
{
	(void)state;
	chrony_conf_begin(&conf, "x");
	assert_int_equal(conf.maxclockerror_ppb, 1000);
	assert_string_equal(conf.bindcmdaddress, "");
	take("maxclockerror 50");
	assert_int_equal(conf.maxclockerror_ppb, 50000);
	take("maxclockerror 0.5 ppm");
	assert_int_equal(conf.maxclockerror_ppb, 500);
	for (const char *wrong = "maxclockerror -1\0maxclockerror 1e300\0maxclockerror nan\0maxclockerror inf\0"
	     "maxclockerror\0maxclockerror x\0"; *wrong; wrong += strlen(wrong) + 1) {
		take(wrong);
		assert_int_equal(conf.maxclockerror_ppb, 500);
	}
	take("bindcmdaddress 192.0.2.1");
	take("bindcmdaddress ::1");
	take("bindcmdaddress /run/chrony/chronyd.sock");
	assert_string_equal(conf.bindcmdaddress, "192.0.2.1");
	take("bindcmdaddress 255.255.255.255");
	assert_string_equal(conf.bindcmdaddress, "255.255.255.255");
	assert_false(conf.has_allow || conf.has_smoothtime || conf.has_leap_table);
	take("allow");
	assert_true(conf.has_allow && !conf.has_smoothtime && !conf.has_leap_table);
	take("smoothtime 400 0.01 leaponly");
	assert_true(conf.has_smoothtime && !conf.has_leap_table);
	take("leapseclist /usr/share/zoneinfo/leap-seconds.list");
	assert_true(conf.has_leap_table);
	conf.has_leap_table = false;
	take("leapsectz right/UTC");
	assert_true(conf.has_leap_table);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/hpt-conf-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char *command = NULL;
	int r = asprintf(&command, "rm -rf '%s'", folder) < 0 || chdir("/") || system(command);

	(void)state;
	free(command);
	return r;
}

static void write_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* "@" stands for the test's folder. */
static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (; *text; text++)
		if (*text == '@')
			fprintf(f, "%s/", folder);
		else
			putc(*text, f);
	assert_int_equal(fclose(f), 0);
}

static void read_conf(const char *path)
{
	chrony_conf_begin(&conf, path);
	chrony_conf_read(&conf);
}

static void files_that_are_included(void **state)
{
	(void)state;
	assert_int_equal(mkdir("conf.d", 0755) || mkdir("more", 0755) || mkdir("sources.d", 0755), 0);
	write_text("main", "cmdport 1\nconfdir @conf.d @more @none\ninclude @inc*\nsourcedir sources.d\nallow");
	write_text("conf.d/b.conf", "cmdport 2\n");
	write_text("conf.d/a.conf", "cmdport 3\nsmoothtime 400 0.01\n");
	write_text("conf.d/z.README", "cmdport 4\n");
	write_text("more/c.conf", "maxclockerror 7");
	write_text("inc1", "leapsectz right/UTC\n");
	write_text("sources.d/x.sources", "server 192.0.2.1\n");
	read_conf("main");
	assert_true(conf.is_whole && conf.has_allow && conf.has_smoothtime && conf.has_leap_table);
	assert_int_equal(conf.cmdport, 2);
	assert_int_equal(conf.maxclockerror_ppb, 7000);
	/* Of files with the same name that of the first folder counts, also if it is empty. */
	write_text("more/b.conf", "cmdport 5\n");
	write_text("main", "confdir @more @none @conf.d\n");
	read_conf("main");
	assert_int_equal(conf.cmdport, 3);
	write_text("more/a.conf", "");
	read_conf("main");
	assert_true(conf.is_whole && !conf.has_smoothtime);
	assert_int_equal(conf.cmdport, 5);
	assert_int_equal(unlink("more/a.conf") || unlink("more/b.conf"), 0);
	assert_true(conf.has_included);
	read_conf("inc1");
	assert_true(conf.is_whole && conf.has_leap_table && !conf.has_allow && !conf.has_included);
}

/* Not from this process's folder, and not from the file's. */
static void relative_paths_begin_in_the_root_folder(void **state)
{
	char text[512];

	(void)state;
	write_text("more/c.conf", "allow\n");
	snprintf(text, sizeof(text), "include more/c.conf\nconfdir more\n");
	write_text("main", text);
	read_conf("main");
	assert_false(conf.has_allow);
	snprintf(text, sizeof(text), "include %s/more/c.conf\n", folder + 1);
	write_text("main", text);
	read_conf("main");
	assert_true(conf.has_allow);
	snprintf(text, sizeof(text), "confdir %s/more\n", folder + 1);
	write_text("main", text);
	read_conf("main");
	assert_true(conf.has_allow);
}

static void files_that_cannot_be_read(void **state)
{
	(void)state;
	read_conf("nonexistent");
	assert_false(conf.is_whole);
	assert_string_equal(conf.wrong, strerror(ENOENT));
	assert_int_equal(conf.cmdport, 323);
	read_conf(folder);
	assert_false(conf.is_whole || conf.has_allow);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	read_conf("fifo");
	assert_false(conf.is_whole || conf.has_included);
	assert_string_equal(conf.wrong, "Not a file");
	assert_int_equal(unlink("fifo"), 0);
	write_text("main", "allow\ninclude @nonexistent/*\n"); /* chronyd does not start */
	read_conf("main");
	assert_true(conf.is_whole && conf.has_allow && !conf.wrong);
	assert_int_equal(symlink("nonexistent", "conf.d/z.conf"), 0);
	write_text("main", "confdir @conf.d\nallow\n");
	read_conf("main");
	assert_true(!conf.is_whole && conf.has_allow && !conf.wrong);
	assert_int_equal(unlink("conf.d/z.conf"), 0);
}

static void folders_that_are_denied(void **state)
{
	bool is_root = !geteuid(); /* who may read all */

	(void)state;
	assert_int_equal(mkdir("denied", 0) || chmod(folder, 0755), 0);
	write_text("main", "confdir @denied\n");
	assert_int_equal(is_root ? seteuid(65534) : 0, 0);
	read_conf("main");
	assert_int_equal(is_root ? seteuid(0) : 0, 0);
	assert_false(conf.is_whole);
}

static void loops_end(void **state)
{
	(void)state;
	write_text("loop", "include @loop\nallow\n");
	read_conf("loop");
	assert_true(!conf.is_whole && conf.has_allow);
	write_text("loop", "include @loop\ninclude @loop\ninclude @loop\ninclude @loop\nallow\n");
	read_conf("loop");
	assert_true(!conf.is_whole);
	write_text("first", "include @second\n");
	write_text("second", "include @first\n");
	read_conf("first");
	assert_false(conf.is_whole);
	/* Ten levels, which chronyd takes. */
	write_text("level0", "include @level1\n");
	for (int i = 1; i <= 11; i++) {
		char name[16], text[64];

		snprintf(name, sizeof(name), "level%d", i);
		snprintf(text, sizeof(text), "include @level%d\n", i + 1);
		write_text(name, i == 11 ? "allow\n" : i == 10 ? "smoothtime 1 1\n" : text);
	}
	read_conf("level0");
	assert_true(conf.is_whole && conf.has_smoothtime);
	write_text("level10", "include @level11\n");
	read_conf("level0");
	assert_false(conf.is_whole || conf.has_allow);
}

static void only_so_many_files(void **state)
{
	char text[70 * 16] = "";

	(void)state;
	for (int i = 0; i < 63; i++)
		strcat(text, "include @inc1\n");
	write_text("many", text);
	read_conf("many");
	assert_true(conf.is_whole);
	strcat(text, "include @inc1\n");
	write_text("many", text);
	read_conf("many");
	assert_false(conf.is_whole);
}

static void long_lines_and_files(void **state)
{
	size_t n = 1 << 20;
	char *text = test_malloc(n);

	(void)state;
	memset(text, 'x', n);
	write_bytes("main", text, n);
	read_conf("main");
	assert_false(conf.is_whole);
	/* A long comment is passed over, and the lines about it are read. */
	memcpy(text, "cmdport 7\n# ", 12);
	memcpy(text + 20000, "\nallow\n", 7);
	write_bytes("main", text, 20007);
	read_conf("main");
	assert_true(conf.is_whole && conf.has_allow && conf.cmdport == 7);
	memset(text, '\n', n);
	memcpy(text, "allow\n", 6);
	write_bytes("main", text, n);
	read_conf("main");
	assert_true(!conf.is_whole && conf.has_allow);
	/* The pattern has room for the longest line. */
	memcpy(text, "confdir ", 8);
	memset(text + 8, 'd', 4086);
	memcpy(text + 4094, "\nallow\n", 7);
	write_bytes("main", text, 4101);
	read_conf("main");
	assert_true(conf.has_allow);
	test_free(text);
}

/* Pieces of directives and random bytes, with all signs that end something. */
/* Folders of earlier words take more room than the line, with "/" before each. */
static void many_words(void **state)
{
	char line[4096] = "confdir";
	size_t n = strlen(line);

	(void)state;
	while (n < 4080)
		n += (size_t)sprintf(line + n, " a");
	sprintf(line + n, "\nallow\n");
	write_text("main", line);
	read_conf("main");
	assert_true(!conf.is_whole && conf.has_allow);
	/* Patterns cost time, also where nothing matches them. */
	write_text("main", "include @a\nallow\n");
	read_conf("main");
	assert_true(conf.is_whole);
	for (n = 0; n < 65 * 11; n += 11)
		memcpy(line + n, "include /a\n", 11);
	strcpy(line + n, "allow\n");
	write_text("main", line);
	read_conf("main");
	assert_true(!conf.is_whole && conf.has_allow);
}

static void random_files(void **state)
{
	static const char *const pieces[] = {
		"cmdport", "bindcmdaddress", "maxclockerror", "allow", "smoothtime", "leapsectz", "include", "confdir",
		" ", "\t", "\n", "\r\n", "#", "main", ".", "*", "[", "\\", "0", "9999999", "127.0.0.1", "1e999", "/",
		"..", "~", "%n%s",
	};
	char text[3000];

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t n = 0, most = 1 + random_below(sizeof(text) - 32);

		while (n < most) {
			const char *piece = pieces[random_below(COUNT(pieces))];

			if (random_below(4))
				n += (size_t)sprintf(text + n, "%s", piece);
			else
				text[n++] = (char)random_below(256);
		}
		write_bytes("main", text, n);
		read_conf("main");
		assert_in_range(conf.cmdport, 0, 65535);
		assert_in_range(conf.maxclockerror_ppb, 0, 1000000000);
		assert_true(strlen(conf.bindcmdaddress) < sizeof(conf.bindcmdaddress));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_daemon_of_this_machine),
		cmocka_unit_test(lines_as_chronyd_takes_them),
		cmocka_unit_test(settings),
		cmocka_unit_test(files_that_are_included),
		cmocka_unit_test(relative_paths_begin_in_the_root_folder),
		cmocka_unit_test(files_that_cannot_be_read),
		cmocka_unit_test(folders_that_are_denied),
		cmocka_unit_test(loops_end),
		cmocka_unit_test(only_so_many_files),
		cmocka_unit_test(long_lines_and_files),
		cmocka_unit_test(many_words),
		cmocka_unit_test(random_files),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
