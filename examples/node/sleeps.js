// SPDX-License-Identifier: MIT
'use strict';
/*
 * A clock and interruptible sleeps of libhpt in JavaScript, by the addon hpt.c. Node 18 or later, and a C compiler:
 *
 *	cc -O2 -shared -fPIC -o hpt.node hpt.c $(pkg-config --cflags --libs libhpt) \
 *		-I"$(node -p 'path.resolve(process.execPath, "../../include/node")')"
 *	node sleeps.js
 *
 * Expect reads that cost one and a half of process.hrtime.bigint(), which V8 calls by a shorter way, and half of the
 * sleeps late by ten to twenty microseconds, the way back from the pool, where setTimeout() is late by 80 or more.
 * A sleep blocks one of the four threads of libuv's pool (UV_THREADPOOL_SIZE), which files and name look-ups need too,
 * and not the event loop. process.exit() waits for its end.
 */
const { setTimeout: timeout } = require('node:timers/promises');
const hpt = require('./hpt.node');

const MS = 1000000n;
const sleeper = hpt.open(); // One sleep at a time is on it; close() frees it.

async function sleep(ns) {
  const start = hpt.now();
  const state = await hpt.sleep(sleeper, ns); // above 0: the clocks moved against each other
  if (state === 0 && hpt.now() - start < ns) throw new Error('a sleep ended early');
}

function read(call) {
  const start = hpt.now();
  for (let i = 0; i < 1000; i++) call();
  return Number(hpt.now() - start) / 1000;
}

async function late(call) {
  const start = hpt.now();
  await call();
  return Number(hpt.now() - start - MS) / 1e3;
}

async function main() {
  const found = [[], [], [], []];
  for (let i = 0; i < 100; i++) {
    found[0].push(read(hpt.now));
    found[1].push(read(process.hrtime.bigint));
    found[2].push(await late(() => sleep(MS)));
    found[3].push(await late(() => timeout(1)));
  }
  const [reads, ownReads, lates, ownLates] = found.map((values) => values.sort((a, b) => a - b));
  const show = (name, v) =>
    console.log(`late: ${name} ${v[50].toFixed(3)} us in the median, 90 % within ${v[90].toFixed(3)} us`);
  console.log(`source: ${hpt.source()}`);
  console.log(`read: hpt ${reads[50].toFixed(1)} ns, process.hrtime.bigint ${ownReads[50].toFixed(1)} ns`);
  show('hpt', lates);
  show('setTimeout', ownLates);

  const start = hpt.now();
  setTimeout(() => hpt.interrupt(sleeper), 20);
  const error = await sleep(10000n * MS).catch((reason) => reason);
  if (error?.code !== 'ECANCELED') throw error ?? new Error('a long sleep was not interrupted');
  console.log(`interrupted after ${(Number(hpt.now() - start) / 1e6).toFixed(1)} ms of 10000`);
  hpt.close(sleeper); // Later calls are errors: EINVAL.
}

main().catch((error) => {
  console.error(`sleeps: ${error.message}`);
  process.exitCode = 1;
});
