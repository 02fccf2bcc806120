/* SPDX-License-Identifier: MIT */
/* Atomic operations as calls of the model checker, for code included after this: tests/model/model.h. */
#ifndef HPT_MODEL_ATOMICS_H
#define HPT_MODEL_ATOMICS_H

#include "model.h"

#define MODEL_OP(kind, order, ...) model_run_op((struct model_op){ __FILE__, __LINE__, kind, order, __VA_ARGS__ })
#define MODEL_VALUE(kind, order, p, v)                                                                               \
	__extension__({                                                                                              \
		__typeof__(*(p) + 0) model_old =                                                                     \
			(__typeof__(*(p) + 0))MODEL_OP(kind, order, p, sizeof(*(p)), (uint64_t)(v), 0);              \
		model_old;                                                                                           \
	})
#define MODEL_SWAP(order, p, e, v)                                                                                   \
	__extension__({                                                                                              \
		__typeof__(*(e) + 0) model_expected = *(e);                                                          \
		*(e) = (__typeof__(*(e) + 0))MODEL_OP(MODEL_CAS, order, p, sizeof(*(p)), (uint64_t)(v),              \
						      model_expected);                                               \
		*(e) == model_expected;                                                                              \
	})

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_or_explicit
#undef atomic_fetch_and_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#undef atomic_thread_fence
#undef atomic_load
#undef atomic_store
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak

#define atomic_load_explicit(p, o)         MODEL_VALUE(MODEL_LOAD, o, p, 0)
#define atomic_store_explicit(p, v, o)     ((void)MODEL_VALUE(MODEL_STORE, o, p, v))
#define atomic_fetch_add_explicit(p, v, o) MODEL_VALUE(MODEL_ADD, o, p, v)
#define atomic_fetch_sub_explicit(p, v, o) MODEL_VALUE(MODEL_SUB, o, p, v)
#define atomic_fetch_or_explicit(p, v, o)  MODEL_VALUE(MODEL_OR, o, p, v)
#define atomic_fetch_and_explicit(p, v, o) MODEL_VALUE(MODEL_AND, o, p, v)
#define atomic_thread_fence(o)             ((void)MODEL_OP(MODEL_FENCE, o, NULL, 0, 0, 0))
#define atomic_compare_exchange_strong_explicit(p, e, v, o, failure) MODEL_SWAP(o, p, e, v)
#define atomic_compare_exchange_weak_explicit(p, e, v, o, failure)   MODEL_SWAP(o, p, e, v)

#define atomic_load(p)         atomic_load_explicit(p, memory_order_seq_cst)
#define atomic_store(p, v)     atomic_store_explicit(p, v, memory_order_seq_cst)
#define atomic_fetch_add(p, v) atomic_fetch_add_explicit(p, v, memory_order_seq_cst)
#define atomic_fetch_sub(p, v) atomic_fetch_sub_explicit(p, v, memory_order_seq_cst)
#define atomic_fetch_or(p, v)  atomic_fetch_or_explicit(p, v, memory_order_seq_cst)
#define atomic_fetch_and(p, v) atomic_fetch_and_explicit(p, v, memory_order_seq_cst)
#define atomic_compare_exchange_strong(p, e, v) MODEL_SWAP(memory_order_seq_cst, p, e, v)
#define atomic_compare_exchange_weak(p, e, v)   MODEL_SWAP(memory_order_seq_cst, p, e, v)

/* The builtins for words that are not _Atomic. */
#define __atomic_load_n(p, o)     atomic_load_explicit(p, (memory_order)(o))
#define __atomic_store_n(p, v, o) atomic_store_explicit(p, v, (memory_order)(o))

#endif
