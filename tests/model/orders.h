/* SPDX-License-Identifier: MIT */
/* The memory orders that the source under test states, and whether each is needed. */
#ifndef HPT_MODEL_ORDERS_H
#define HPT_MODEL_ORDERS_H

#include "model.h"

/* The order of an operation in this check: the stated one, or a weaker one. A relaxed fence is no fence. */
memory_order model_order(const struct model_op *op);

/* Checks the models until one fails, and prints what was explored. Returns the failure, or NULL. */
const char *model_check_all(const struct model *models, size_t n);

/*
 * Weakens each order that a file states by one step, one order at a time, and checks the models until one fails. Prints
 * what failed. Returns how many weakened orders no model noticed. Only orders that a check has met are known.
 */
unsigned model_needless_orders(const char *file, const struct model *models, size_t n);

#endif
