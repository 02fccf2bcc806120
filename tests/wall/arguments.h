/* SPDX-License-Identifier: MIT */
/* Arguments of the form KEY=VALUE, and addresses: for the programs of these tests. */
#ifndef HPT_WALL_ARGUMENTS_H
#define HPT_WALL_ARGUMENTS_H

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of the word if its key is this one, or NULL. */
static inline const char *value_of(const char *word, const char *key)
{
	size_t n = strlen(key);

	return !strncmp(word, key, n) && word[n] == '=' ? word + n + 1 : NULL;
}

/* The last KEY=VALUE among the words, or the default. */
static inline const char *text_of(char **words, const char *key, const char *otherwise)
{
	const char *found;

	for (; *words; words++) {
		found = value_of(*words, key);
		if (found)
			otherwise = found;
	}
	return otherwise;
}

static inline int64_t number_of(char **words, const char *key, int64_t otherwise)
{
	const char *text = text_of(words, key, NULL);

	return text ? strtoll(text, NULL, 0) : otherwise;
}

/* "1.2.3.4:567"; ends the program if it is not one. */
static inline struct sockaddr_in address_of(const char *text)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	const char *colon = strrchr(text, ':');
	char host[64] = "";

	if (colon && (size_t)(colon - text) < sizeof(host))
		memcpy(host, text, (size_t)(colon - text));
	if (!colon || inet_pton(AF_INET, host, &a.sin_addr) != 1) {
		fprintf(stderr, "%s: not an address\n", text);
		exit(2);
	}
	a.sin_port = htons((uint16_t)atoi(colon + 1));
	return a;
}

/*
 * A socket for datagrams, bound to this address unless it is NULL: also where a daemon listens on that port of all
 * addresses. Ends the program on failure.
 */
static inline int datagrams(const struct sockaddr_in *own)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), on = 1;

	if (s < 0 || setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    (own && bind(s, (const struct sockaddr *)own, sizeof(*own)))) {
		perror("socket");
		exit(2);
	}
	return s;
}

#endif
