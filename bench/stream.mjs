// @ts-check
// Pipes objects into an import stream and says how much memory that takes, and how far the source
// runs ahead of the service: `node bench/stream.mjs [--objects 1000000] [--delay-ms 0]`. The delay is
// how long the service takes for a request. Needs `npm run build`.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createImportStream } from '../dist/index.js';
import { startSink } from './start-sink.js';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000000' },
    'delay-ms': { type: 'string', default: '0' },
  },
});
const objects = Number(values.objects);
const LOOK_MS = 1_000;
const MIB = 2 ** 20;

const mapping = {
  profile: /** @type {const} */ ('minimal'),
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'en' },
    published: { from: 'at', date: 'iso' },
  },
};

let given = 0;
function* reviews() {
  for (given = 0; given < objects; ) {
    given += 1;
    yield { id: `r-${given}`, text: `Review ${given} `.repeat(20), at: '2024-05-31T10:00:00Z' };
  }
}

const sink = await startSink({ delayMs: Number(values['delay-ms']) });
const stream = createImportStream({
  mapping,
  monitoring: 1,
  connection: { baseUrl: sink.baseUrl, username: 'ana', apiKey: 'key' },
});
const memory = /** @type {number[]} */ ([]);
let ahead = 0;
const look = setInterval(() => {
  memory.push(Math.round(process.memoryUsage().rss / MIB));
  ahead = Math.max(ahead, given - (stream.run.progress()?.counts.accepted ?? 0));
}, LOOK_MS);
const start = performance.now();
await pipeline(Readable.from(reviews()), stream);
clearInterval(look);
const seconds = (performance.now() - start) / 1_000;
const { counts } = await stream.report;
await sink.stop();

const quarter = Math.ceil(memory.length / 4);
const peaks = [0, 1, 2, 3].map((part) =>
  Math.max(0, ...memory.slice(part * quarter, (part + 1) * quarter)),
);
console.log(`${counts.accepted} of ${counts.read} accepted in ${seconds.toFixed(1)} s`);
console.log(`memory, the most in each quarter of the time: ${peaks.join(', ')} MiB`);
console.log(`in all: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
console.log(`the source was at most ${ahead} objects ahead of what was accepted`);
