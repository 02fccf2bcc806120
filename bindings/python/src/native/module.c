// SPDX-License-Identifier: MIT
/* The module hpt._native: libhpt for CPython. Its types hold raw numbers; the package hpt has the shapes for people. */
#include "native.h"

struct state {
	PyTypeObject *clock, *waiter, *wall;
};

static struct PyModuleDef definition;

/* ---- State --------------------------------------------------------------------------------------------- */

/* That of the first of our types among the bases; types that were derived in Python have no module. */
static struct state *state_of(PyTypeObject *type)
{
	for (; type; type = PyType_GetSlot(type, Py_tp_base)) {
		PyObject *module = PyType_GetModule(type);

		if (module && PyModule_GetDef(module) == &definition)
			return PyModule_GetState(module);
		PyErr_Clear();
	}
	return NULL;
}

static PyTypeObject *loaded(PyTypeObject *type)
{
	if (!type)
		PyErr_SetString(PyExc_RuntimeError, "hpt._native has been unloaded");
	return type;
}

PyTypeObject *clock_type(PyObject *self)
{
	struct state *state = state_of(Py_TYPE(self));

	return loaded(state ? state->clock : NULL);
}

PyTypeObject *waiter_type(PyObject *self)
{
	struct state *state = state_of(Py_TYPE(self));

	return loaded(state ? state->waiter : NULL);
}

PyTypeObject *wall_type(PyObject *self)
{
	struct state *state = state_of(Py_TYPE(self));

	return loaded(state ? state->wall : NULL);
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
	struct state *state = PyModule_GetState(module);

	if (state) {
		Py_VISIT((PyObject *)state->clock);
		Py_VISIT((PyObject *)state->waiter);
		Py_VISIT((PyObject *)state->wall);
	}
	return 0;
}

static int clear(PyObject *module)
{
	struct state *state = PyModule_GetState(module);

	if (state) {
		Py_CLEAR(state->clock);
		Py_CLEAR(state->waiter);
		Py_CLEAR(state->wall);
	}
	return 0;
}

static void release(void *module)
{
	(void)clear(module);
}

/* ---- Start --------------------------------------------------------------------------------------------- */

static PyObject *add_type(PyObject *module, PyType_Spec *spec)
{
	PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);

	if (type && PyModule_AddType(module, (PyTypeObject *)type) < 0)
		Py_CLEAR(type);
	return type;
}

static int add_types(PyObject *module)
{
	PyType_Spec *const specs[] = { &gate_spec, &ticker_spec, &hlc_spec };
	struct state *state = PyModule_GetState(module);

	state->clock = (PyTypeObject *)add_type(module, &clock_spec);
	state->waiter = (PyTypeObject *)add_type(module, &waiter_spec);
	state->wall = (PyTypeObject *)add_type(module, &wall_spec);
	if (!state->clock || !state->waiter || !state->wall)
		return -1;
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		PyObject *type = add_type(module, specs[i]);

		if (!type)
			return -1;
		Py_DECREF(type);
	}
	return 0;
}

static int exec(PyObject *module)
{
	int code = sleepers_init();

	if (code < 0)
		return raise_code(code, NULL), -1;
	if (reads_add(module) || sleeps_add(module) || facts_add(module) || timebase_add(module))
		return -1;
	return add_types(module);
}

/* ---- Slots --------------------------------------------------------------------------------------------- */

/*
 * One module of the limited API serves 3.11, which refuses the slot for interpreters with GILs of their own, and later
 * versions, which import it there only with that slot. Its numbers are part of the stable ABI since 3.12.
 */
#ifndef Py_mod_multiple_interpreters
#define Py_mod_multiple_interpreters 3
#define Py_MOD_PER_INTERPRETER_GIL_SUPPORTED ((void *)2)
#endif

static PyModuleDef_Slot slots[] = {
	{ Py_mod_exec, exec },
#ifdef Py_mod_gil
	{ Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
	{ 0, NULL },
};

static PyModuleDef_Slot slots_of_3_12[] = {
	{ Py_mod_exec, exec },
	{ Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED },
#ifdef Py_mod_gil
	{ Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
	{ 0, NULL },
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "hpt._native",
	.m_doc = "libhpt for CPython, with raw numbers; the package hpt is the interface for people.",
	.m_size = sizeof(struct state),
	.m_slots = slots,
	.m_traverse = traverse,
	.m_clear = clear,
	.m_free = release,
};

#if PY_VERSION_HEX >= 0x030b0000
#define RUNNING Py_Version
#else
#define RUNNING PY_VERSION_HEX
#endif

PyMODINIT_FUNC PyInit__native(void)
{
	if (RUNNING >= 0x030c0000)
		definition.m_slots = slots_of_3_12;
	return PyModuleDef_Init(&definition);
}
