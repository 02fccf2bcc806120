// SPDX-License-Identifier: MIT
// sleeps.js late COUNT: how late each of COUNT timeouts of 1 ms comes, in ns.
// sleeps.js results: the results of sleeps, which are the same in each run.
'use strict';
const { setTimeout: sleep } = require('timers/promises');

async function late(count) {
	for (; count > 0; count--) {
		const began = process.hrtime.bigint();
		await sleep(1);
		console.log(String(process.hrtime.bigint() - began - 1000000n));
	}
}

// Timers count from the time at which the loop began its turn, in whole ms: one may come 1 ms before its time.
async function resultOf(name, nap) {
	const began = process.hrtime.bigint();
	const returned = await nap();
	console.log(name, returned, process.hrtime.bigint() - began < 3000000n ? 'early' : 'in time');
}

function interval() {
	let count = 0;
	return new Promise((resolve) => {
		const timer = setInterval(() => {
			if (++count === 3) {
				clearInterval(timer);
				resolve(count);
			}
		}, 2);
	});
}

async function results() {
	for (let i = 0; i < 5; i++)
		await resultOf('setTimeout', () => sleep(4, 'done'));
	await resultOf('setInterval', interval);
	await resultOf('wait', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4));
	const order = await Promise.all([30, 10, 20].map(async (ms) => (await sleep(ms), ms)));
	console.log('all', order);
}

if (process.argv[2] === 'late')
	late(Number(process.argv[3]));
else
	results();
