/* SPDX-License-Identifier: MIT */
/* Members of a JSON object. */
#ifndef HPT_TEST_JSON_AT_H
#define HPT_TEST_JSON_AT_H

#include <jansson.h>

#include "unit.h"

/* The whole number at @key, which must be there. */
static inline json_int_t at(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

#endif
