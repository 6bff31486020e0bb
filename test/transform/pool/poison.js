import { parentPort } from 'node:worker_threads';

/** Has things happen that must not, each at a word in a chunk, before the thread gets to it. */
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const on = port.on.bind(port);
port.on = (/** @type {string} */ event, /** @type {(value: any) => void} */ listener) =>
  on(event, (message) => {
    happen(Buffer.from(message.bytes).toString());
    listener(message);
  });

/** @param {string} text */
function happen(text) {
  if (text.includes('EXIT')) process.exit(7);
  if (text.includes('THROW')) throw new Error('thrown outside the transform');
  while (text.includes('SPIN'));
  for (const hoard = []; text.includes('HOARD'); hoard.push(new Array(1000).fill(hoard)));
}
