import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OutputError } from '../../src/outputs/output-file.js';
import { put } from '../helpers/files.js';
import { review } from '../helpers/reviews.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shareSandbox, startTestSandbox } from '../helpers/start-sandbox.js';
import { refusal, watchService } from '../helpers/watched-service.js';
import {
  documentsOf,
  idsOf,
  line,
  makeTarget,
  record,
  records,
  schema,
  state,
  type Target,
  tap,
} from './tap.js';

const SKIPPING = { otherStreams: 'skip' };

const share = shareSandbox();

async function newTarget(overrides: object = {}): Promise<Target> {
  return await makeTarget(overrides, await share());
}

describe('RECORD', () => {
  it('of a stream that the config does not name ends the target, and what came before is imported', async () => {
    const target = await newTarget();
    const output = schema() + record(review(1)) + state('one') + schema('users');
    const { end, states } = await tap(target, output + record({ id: 7 }, 'users') + state('two'));
    expect(end.exitCode).toBe(2);
    expect(end.stop).toMatch(/^Line 4 is of the stream "users", which is not in the config/);
    expect(states).toEqual(['"one"']);
    expect(await idsOf(target)).toEqual(['r-1']);
  });

  it('of such a stream is skipped and counted with otherStreams "skip"', async () => {
    const target = await newTarget(SKIPPING);
    const users = schema('users') + record({ id: 7 }, 'users') + record({ id: 8 }, 'users');
    const { end, states, said } = await tap(target, users + schema() + records(1, 2) + state(4));
    expect(end).toMatchObject({ exitCode: 0, stop: null });
    expect(end.skippedStreams).toEqual({ users: 2 });
    expect(said.filter((message) => message.includes('"users"'))).toHaveLength(1);
    expect(states).toEqual(['4']);
    expect(await idsOf(target)).toEqual(['r-1', 'r-2']);
  });

  it('without a SCHEMA of its stream before it ends the target', async () => {
    const target = await newTarget();
    const { end, states } = await tap(target, record(review(1)) + schema() + state(1));
    expect(end.exitCode).toBe(2);
    expect(end.stop).toMatch(
      /^Line 1 is a record of the stream "reviews", which had no SCHEMA message/,
    );
    expect(states).toEqual([]);
    expect(await idsOf(target)).toEqual([]);
  });

  it('that came again, with its epoch or after it, is imported once', async () => {
    const target = await newTarget();
    const once = schema() + records(1, 3) + records(2, 3) + state(3);
    const first = await tap(target, once);
    expect(first.end.counts).toMatchObject({ accepted: 3, duplicate: 2 });
    const second = await tap(target, once);
    expect(second.end.counts).toMatchObject({ accepted: 0, duplicate: 5 });
    expect([first, second].map(({ states }) => states)).toEqual([['3'], ['3']]);
    expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-3']);
  });

  it.each([
    ['one epoch', {}, { exitCode: 0, states: ['3'], changed: 1 }],
    [
      'an earlier epoch',
      { repeatedIds: 'error', epoch: { records: 1 } },
      { exitCode: 1, states: ['2'], changed: 1 },
    ],
  ])('that came before in %s with other content: %j', async (_, overrides, then) => {
    const target = await newTarget(overrides);
    const edited = record({ ...review(1), text: 'Edited' });
    const output = schema() + records(1, 2) + state(2) + edited + state(3);
    const { end, states } = await tap(target, output);
    const { exitCode, streams, stop } = end;
    expect({ exitCode, states, changed: streams['reviews']?.changed }).toEqual(then);
    if (exitCode === 1) expect(stop).toMatch(/1 record was not accepted, the first in line 5: /);
    const texts = (await documentsOf(target)).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['Review 1', 'Review 2']);
  });
});

describe('STATE', () => {
  it('is written once an epoch is full, the last one only', async () => {
    const target = await newTarget({ epoch: { records: 4, seconds: 60 } });
    const two = (from: number) => records(from, from + 1) + state(from + 1);
    const { states, end } = await tap(
      target,
      schema() + two(1) + two(3) + two(5) + two(7) + two(9),
    );
    expect(states).toEqual(['4', '8', '10']);
    expect(end.states).toEqual({ read: 5, written: 3 });
    expect(end.epochs).toBe(3);
  });

  it('is written after the seconds of an epoch, though the tap is silent', async () => {
    const target = await newTarget({ epoch: { records: 1_000, seconds: 0.05 } });
    const ended = new AbortController();
    const silent = async function* () {
      yield Buffer.from(schema() + records(1, 2) + state(2));
      while (!ended.signal.aborted) await wait(5);
    };
    const states: string[] = [];
    await tap(target, silent(), {
      emit: async (value) => {
        states.push(value);
        expect(await idsOf(target)).toEqual(['r-1', 'r-2']);
        ended.abort();
      },
    });
    expect(states).toEqual(['2']);
  });

  it('without records before it is written, too', async () => {
    const { states, end } = await tap(await newTarget(), state({ bookmarks: {} }));
    expect(states).toEqual(['{"bookmarks":{}}']);
    expect(end).toMatchObject({ exitCode: 0, epochs: 0 });
  });

  it('is not written after a record that is invalid, and the message names its line', async () => {
    const target = await newTarget({ epoch: { records: 2, seconds: 60 } });
    const bad = record({ ...review(3), text: '' });
    const output = schema() + records(1, 2) + state(2) + bad + record(review(4)) + state(4);
    const { end, states } = await tap(target, output + records(5, 6) + state(6));
    expect(states).toEqual(['2']);
    expect(end.exitCode).toBe(1);
    expect(end.stop).toMatch(
      /^Stream "reviews": 1 record was not accepted, the first in line 5: text .*Fix the mapping or the source, and start the tap again/,
    );
    // The others of its epoch are imported; nothing after that is read.
    expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-4']);
    expect(end.lines).toBe(7);
  });

  it('is not written after a record that the service rejects', async () => {
    const sandbox = await startTestSandbox();
    const { baseUrl } = await watchService(sandbox, async ({ ids }, pass) =>
      ids.includes('r-2') ? refusal(400, 'no such language') : await pass(),
    );
    const target = await makeTarget({ batchSize: 1 }, { sandbox });
    const tapped = await tap(
      { ...target, sandbox: { ...sandbox, baseUrl } },
      schema() + records(1, 3) + state(3),
    );
    expect(tapped.states).toEqual([]);
    expect(tapped.end.exitCode).toBe(1);
    expect(tapped.end.stop).toMatch(/the first in line 3: .*no such language/);
  });

  it('is written all the same with emitState "accounted", and the record is in the rejects', async () => {
    const target = await newTarget({ emitState: 'accounted', rejects: '{run}.jsonl' });
    const bad = record({ ...review(2), text: '' });
    const { end, states } = await tap(target, schema() + records(1, 1) + bad + state(2));
    expect(states).toEqual(['2']);
    expect(end).toMatchObject({ exitCode: 1, stop: null });
    const [run] = end.runsLeftOver;
    expect(readFileSync(`${target.folder}/${run}.jsonl`, 'utf8')).toContain('"id":"r-2"');
  });

  eachSample()(['accepted', 'accounted'])(
    'is not written after a record whose outcome is unknown: emitState "%s"',
    async (emitState) => {
      const sandbox = await startTestSandbox();
      let isIll = true;
      const { baseUrl } = await watchService(sandbox, async ({ ids }, pass) => {
        const told = await pass();
        return isIll && ids.includes('r-2') ? undefined : told;
      });
      const more = { onUnknown: 'hold', batchSize: 1, emitState, rejects: '{run}.jsonl' };
      const target = await makeTarget(more, { sandbox });
      const through = { ...target, sandbox: { ...sandbox, baseUrl } };
      const output = schema() + records(1, 3) + state(3);
      const { end, states } = await tap(through, output);
      expect(states).toEqual([]);
      expect(end.exitCode).toBe(5);
      expect(end.stop).toMatch(
        /the outcome of 1 record is unknown, the first in line 3\. Start the tap again/,
      );
      // Started again, it finds out, and imports nothing twice.
      isIll = false;
      const again = { ...through, config: put(target.folder, 'again.json', configOf(target)) };
      expect((await tap(again, output)).states).toEqual(['3']);
      expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-3']);
    },
  );

  it('is not written if nobody takes it, and the target ends', async () => {
    const target = await newTarget({ epoch: { records: 1, seconds: 60 } });
    const output = schema() + records(1, 1) + state(1) + records(2, 2) + state(2);
    const { end } = await tap(target, output, {
      emit: () => Promise.reject(new OutputError('stdout', new Error('EPIPE'))),
    });
    expect(end).toMatchObject({ exitCode: 4, states: { written: 0 } });
    expect(await idsOf(target)).toEqual(['r-1']);
  });
});

/** A target's config, but for what keeps it from finding out what became of documents. */
function configOf({ config: file }: Target): string {
  const { onUnknown: _, ...config } = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify(config);
}

describe('other messages', () => {
  it('BATCH ends the target with what to do about it', async () => {
    const target = await newTarget();
    const batch = line({ type: 'BATCH', stream: 'reviews', encoding: {}, manifest: ['file://x'] });
    const { end, states } = await tap(target, schema() + records(1, 1) + state(1) + batch);
    expect(end).toMatchObject({ exitCode: 2 });
    expect(end.stop).toMatch(/^Line 4 is a BATCH message.*turn batches off/);
    expect(states).toEqual(['1']);
  });

  it('ACTIVATE_VERSION is told once, and takes nothing away', async () => {
    const target = await newTarget();
    const version = line({ type: 'ACTIVATE_VERSION', stream: 'reviews', version: 7 });
    const output = schema() + version + records(1, 2) + version + state(2);
    const { end, states, said } = await tap(target, output);
    expect(end).toMatchObject({ exitCode: 0, counts: { accepted: 2 } });
    expect(states).toEqual(['2']);
    expect(said.filter((message) => message.includes('ACTIVATE_VERSION'))).toHaveLength(1);
  });

  it('a malformed line ends the target, names itself, and what came before is imported', async () => {
    const target = await newTarget();
    const output = `${schema()}${records(1, 2)}${state(2)}${records(3, 3)}{"type":"REC\n`;
    const { end, states } = await tap(target, output);
    expect(end.exitCode).toBe(2);
    expect(end.stop).toMatch(/^Line 6 is not valid JSON/);
    expect(states).toEqual(['2']);
    expect(await idsOf(target)).toEqual(['r-1', 'r-2', 'r-3']);
  });
});

describe('streams', () => {
  it('of a tap are imported side by side, and a state waits for all of them', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `s${index}`);
    const streams = Object.fromEntries(names.map((name) => [name, { mapping: 'mapping.json' }]));
    const target = await newTarget({ streams });
    const mixed = Array.from({ length: 60 }, (_, index) =>
      record(review(index), names[index % names.length]),
    );
    const { end, states } = await tap(
      target,
      names.map(schema).join('') + mixed.join('') + state(60),
    );
    expect(end).toMatchObject({ exitCode: 0, epochs: 1 });
    expect(states).toEqual(['60']);
    expect(await idsOf(target)).toHaveLength(60);
    expect(end.streams['s3']).toMatchObject({ runs: 1, counts: { accepted: 10 } });
  });

  it('that a service refuses end the target with its exit code, and no state', async () => {
    const sandbox = await startTestSandbox();
    const target = await makeTarget({}, { sandbox });
    const stranger = { ...target, sandbox: { ...sandbox, apiKey: 'wrong' } };
    const { end, states } = await tap(stranger, schema() + records(1, 2) + state(2));
    expect(end.exitCode).toBe(3);
    expect(end.stop).toMatch(/^Stream "reviews": .*Check the user name and the API key/);
    expect(states).toEqual([]);
  });
});

describe('an interruption', () => {
  it('ends the epoch in good order: what was read is imported, and its state written', async () => {
    const target = await newTarget({ epoch: { records: 1_000, seconds: 60 } });
    const stop = new AbortController();
    const endless = async function* () {
      yield Buffer.from(schema() + records(1, 20) + state(20));
      stop.abort();
      yield Buffer.from(records(21, 40));
      await new Promise(() => {});
    };
    const { end, states } = await tap(target, endless(), { signal: stop.signal });
    expect(end).toMatchObject({ exitCode: 130 });
    expect(end.stop).toMatch(/interrupted: start the tap again/);
    const ids = await idsOf(target);
    expect(states).toEqual(ids.length === 0 ? [] : ['20']);
    expect(end.counts.accepted).toBe(ids.length);
  });

  it('that leaves no time for requests in flight writes no state', async () => {
    const sandbox = await startTestSandbox();
    const abandon = new AbortController();
    const { baseUrl } = await watchService(sandbox, async ({ number }, pass) => {
      if (number === 0) return await pass();
      abandon.abort();
      return undefined;
    });
    const target = await makeTarget({ timeout: 30 }, { sandbox });
    const through = { ...target, sandbox: { ...sandbox, baseUrl } };
    const means = { abandonSignal: abandon.signal, signal: abandon.signal };
    const { end, states } = await tap(through, schema() + records(1, 2) + state(2), means);
    expect(end.exitCode).toBe(130);
    expect(states).toEqual([]);
  });
});

describe('memory', () => {
  longTest('holds a few records however many come without a state', async () => {
    const sandbox = await startTestSandbox();
    let [given, taken, most] = [0, 0, 0];
    const { baseUrl } = await watchService(sandbox, async ({ ids }, pass) => {
      most = Math.max(most, given - taken);
      const told = await pass();
      taken += ids.length;
      return told;
    });
    const target = await makeTarget(
      { concurrency: 1, batchSize: 100, epoch: { seconds: 600 } },
      { sandbox },
    );
    const through = { ...target, sandbox: { ...sandbox, baseUrl } };
    const many = async function* () {
      yield Buffer.from(schema());
      for (; given < 20_000; given += 100) yield Buffer.from(records(given + 1, given + 100));
    };
    const { end } = await tap(through, many());
    expect(end).toMatchObject({ exitCode: 0, epochs: 1 });
    expect(end.counts.accepted).toBe(20_000);
    // A feed of 500, a chunk or two of 500, batches that are cut.
    expect(most).toBeLessThan(4_000);
  });
});
