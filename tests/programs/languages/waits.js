// SPDX-License-Identifier: MIT
// waits.js KIND late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and
// the CPU time of a wait, in ns.
// waits.js KIND results: the results of waits that expire and of those that events end, which are the same in each run.
// KIND: timeout, wait.
'use strict';
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { setTimeout: sleep } = require('timers/promises');
const WARM_UP = 30, ITEMS = 200;
// How much shorter a wait may be by a clock of nanoseconds: Node counts a timer from the time, in whole ms, at which
// the loop began its turn, V8 the time of Atomics.wait from and to whole microseconds (TimeTicks::Now()).
const STEPS_NS = { timeout: 1000000, wait: 1000 };

const shared = isMainThread ? new Int32Array(new SharedArrayBuffer(8)) : workerData.shared;
// Element 0 counts the items, element 1 stays.
const waits = {
	timeout: (ms) => sleep(ms),
	wait: (ms) => Atomics.wait(shared, 1, 0, ms),
};
const since = (began) => Number(process.hrtime.bigint() - began);

async function late(wait, count) {
	const found = [];
	let cpu;
	for (let i = 0; i < WARM_UP + count; i++) {
		if (i === WARM_UP)
			cpu = process.cpuUsage();
		const began = process.hrtime.bigint();
		await wait(1);
		found.push(since(began) - 1000000);
	}
	const { user, system } = process.cpuUsage(cpu);
	console.log(found.slice(WARM_UP).join('\n'));
	console.log('cpu', Math.round((user + system) * 1000 / count));
}

async function expired(kind) {
	for (let i = 0; i < 5; i++) {
		const began = process.hrtime.bigint();
		const returned = await waits[kind](4);
		console.log(returned, since(began) < 4000000 - STEPS_NS[kind] ? 'early' : 'in time');
	}
}

function putAll() {
	for (let i = 0; i < ITEMS; i++) {
		Atomics.wait(shared, 1, 0, i * 37 % 21 / 10);
		if (workerData.kind === 'wait') {
			Atomics.add(shared, 0, 1);
			Atomics.notify(shared, 0);
		} else {
			parentPort.postMessage(i);
		}
	}
}

// The worker's items come as messages, and timers of one length between them in the order of their starts.
async function messages(worker) {
	const got = [], fired = [];
	const done = new Promise((resolve) => worker.on('message', (item) => got.push(item) === ITEMS && resolve()));
	for (let turn = 0; got.length < ITEMS; turn++) {
		await Promise.all([1, 2, 3].map(async (timer) => (await sleep(2), fired.push(timer))));
		if (fired.splice(0).join() !== '1,2,3')
			console.log('timers out of order in turn', turn);
	}
	await done;
	console.log(got.every((item, i) => item === i) ? `${got.length} items in order` : got);
}

function counted() {
	let seen = 0, when = 'in time';
	while (seen < ITEMS) {
		const began = process.hrtime.bigint();
		const how = Atomics.wait(shared, 0, seen, 1);
		if (how === 'timed-out' && since(began) < 1000000 - STEPS_NS.wait)
			when = 'early';
		seen = Atomics.load(shared, 0);
	}
	console.log(seen, 'items,', when);
}

async function handedOver(kind) {
	const worker = new Worker(__filename, { workerData: { shared, kind } });
	const ended = new Promise((resolve) => worker.on('exit', resolve));
	if (kind === 'wait') {
		await new Promise((resolve) => worker.on('online', resolve));
		counted();
	} else {
		await messages(worker);
	}
	console.log('exit', await ended);
}

async function main(kind, what, count) {
	if (what === 'late')
		return late(waits[kind], Number(count));
	await expired(kind);
	await handedOver(kind);
}

if (isMainThread)
	main(...process.argv.slice(2));
else
	putAll();
