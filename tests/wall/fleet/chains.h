/* SPDX-License-Identifier: MIT */
/* The transactions of a fleet, in chains: what its events CHAIN, HOP and LOOK do. */
#ifndef HPT_FLEET_CHAINS_H
#define HPT_FLEET_CHAINS_H

#include "fleet.h"

/* Begins a chain, sometimes two that overlap on a machine, and puts the next event of its kind into the queue. */
void fleet_chain(struct fleet *f);

/* One more chain, that begins on this machine. */
void fleet_chain_on(struct fleet *f, uint32_t machine, int64_t at_ns);

/* A transaction takes its stamp. */
void fleet_hop(struct fleet *f, const struct event *e);

/* It is committed if UTC is surely after the stamp, else it waits on. */
void fleet_look(struct fleet *f, const struct event *e);

#endif
