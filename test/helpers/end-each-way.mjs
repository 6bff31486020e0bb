/**
 * Ends inputs in every way through the public door of the built package, collects garbage, and
 * prints a line of JSON for each: its name, how each way ended, and what Node says of files that
 * nobody closed. Node 20 closes such a file with a warning, Node 26 throws, which ends a process.
 * Usage: node --expose-gc end-each-way.mjs DOOR FOLDER CONNECTION FILES, the last two as JSON
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [door, folder, connected, files] = process.argv.slice(2);
const connection = JSON.parse(connected);
const { guessMapping, importDocuments, previewDocuments, validateDocuments } = await import(door);

const unclosed = [];
process.on('warning', ({ name, message }) => unclosed.push(`${name}: ${message}`));
process.on('uncaughtException', ({ message }) => unclosed.push(message));

const at = (name) => path.join(folder, name);
const mapping = {
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
};
const options = (input, more) => ({ input, mapping, throwOn: 'never', ...more });
const sending = (input, more) =>
  options(input, {
    monitoring: 1,
    connection,
    stateDir: at('state'),
    ...more,
  });
const stream = (name) => createReadStream(at(name), { highWaterMark: 4096 });

const noColumn = { ...mapping, document: { ...mapping.document, sourceId: '{no}' } };
const noNumber = {
  ...mapping,
  document: { ...mapping.document, text: { from: 'text', number: '.' } },
};

const WAYS = {
  validated: (name) => validateDocuments(options(at(name))),
  'validated as a stream': (name) => validateDocuments(options(stream(name))),
  'validated on threads': (name) => validateDocuments(options(at(name), { threads: 2 })),
  'with all sheets': (name) =>
    validateDocuments(options(stream(name), { source: { sheet: 'all' } })),
  'refused as CSV': (name) =>
    validateDocuments(options(stream(name), { source: { format: 'csv' } })),
  'without a column': (name) => validateDocuments(options(stream(name), { mapping: noColumn })),
  'beside an input that is missing': (name) =>
    validateDocuments(options([at(name), at('nowhere')])),
  'up to the first record': (name) => firstRecord(stream(name)),
  guessed: (name) => guessMapping({ input: stream(name) }),
  'stopped by an error': (name) =>
    validateDocuments(options(stream(name), { maxErrors: 0, mapping: noNumber })),
  'aborted before it is open': (name) =>
    validateDocuments(options(stream(name), { signal: AbortSignal.abort() })),
  'aborted half way': importAborted,
  imported: (name) => importDocuments(sending(stream(name))),
  'imported without a service': (name) =>
    importDocuments(
      sending(stream(name), {
        stateDir: at('other'),
        maxOutageMs: 1,
        connection: { ...connection, baseUrl: 'http://127.0.0.1:9/5.0' },
      }),
    ),
  "imported into a state that isn't a folder": (name) =>
    importDocuments(sending(stream(name), { stateDir: at(name) })),
};

async function importAborted(name) {
  const controller = new AbortController();
  const sendOne = { batchSize: 1, concurrency: 1, signal: controller.signal };
  const run = importDocuments(sending(stream(name), sendOne));
  for await (const event of run) if (event.type === 'outcome') controller.abort();
  return await run;
}

async function firstRecord(input) {
  for await (const _ of previewDocuments({ input, mapping })) return;
}

for (const name of JSON.parse(files)) {
  const ends = {};
  for (const [way, act] of Object.entries(WAYS)) ends[way] = await end(() => act(name));
  console.log(JSON.stringify({ name, ends, unclosed: await collectGarbage() }));
}

/** Returns how something ended. */
async function end(act) {
  try {
    const { counts, exitCode } = (await act()) ?? {};
    return counts === undefined ? 'ended' : `exit ${exitCode}, ${counts.read} read`;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

/** Lists what Node says of files that are garbage, but open. */
async function collectGarbage() {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc();
    await sleep(20);
  }
  return unclosed.splice(0);
}
