import { parentPort } from 'node:worker_threads';

/** Has things happen that must not, each at a word in a chunk, before the thread gets to it. */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const on = port.on.bind(port);
port.on = (/** @type {string} */ event, /** @type {(value: any) => void} */ listener) =>
  on(event, (message) => {
    happen(Buffer.from(message.chunk.bytes).toString());
    listener(message);
  });

/** @param {string} text */
function happen(text) {
  if (text.includes('EXIT')) process.exit(7);
  if (text.includes('THROW')) throw new Error('thrown outside the transform');
  while (text.includes('SPIN'));
  while (text.includes('HOARD')) hoardMore();
}

/** @type {object[]} */
const hoard = [];

/**
 * A function of its own, as the transform's code is: V8 ends a thread that has run out of memory
 * only where JavaScript calls JavaScript. A loop that calls built-in functions alone never notices on
 * Node 24, and takes the machine's memory.
 */
function hoardMore() {
  hoard.push(Array.from({ length: 100 }, (_, at) => ({ at })));
}
