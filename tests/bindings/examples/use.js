// SPDX-License-Identifier: MIT
'use strict';
const hpt = require('./hpt.node');

function code(call, ...words) {
  try {
    return call(...words);
  } catch (error) {
    return error.code;
  }
}

const sleeper = hpt.open();
const first = hpt.sleep(sleeper, 10000000000n).catch((error) => error.code);
console.log('second:', code(hpt.sleep, sleeper, 1n) === 'EBUSY' && code(hpt.close, sleeper) === 'EBUSY');
hpt.interrupt(sleeper);
first.then((end) => {
  console.log('first:', end === 'ECANCELED');
  hpt.close(sleeper);
  const calls = [hpt.sleep, hpt.interrupt, hpt.close];
  console.log('closed:', calls.every((call) => code(call, sleeper, 1n) === 'EINVAL'));
  const wrong = [[], [1, 1n], [{}, 1n], [hpt.open(), 1], [hpt.open(), 2n ** 63n], [hpt.open()]];
  console.log('wrong:', wrong.every((words) => code(hpt.sleep, ...words) === 'EINVAL'));
});
