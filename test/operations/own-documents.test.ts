import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/index.js';
import {
  guessMapping,
  type ImportedDocument,
  type ImportOptions,
  importDocuments,
  OptionError,
  previewDocuments,
  ResumeError,
  type RunFailedError,
  validateDocuments,
} from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { collect } from '../helpers/collect.js';
import { newFolder, put } from '../helpers/files.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';

interface Row {
  readonly id: number;
  readonly body?: string;
  readonly at?: Date;
}

const AT = new Date('2024-06-03T16:30:00Z');

function rows(count: number): Row[] {
  return Array.from({ length: count }, (_, id) => ({ id: id + 1, body: `Text ${id + 1}`, at: AT }));
}

/** What a program would write: it skips, it throws, it gives what the schema refuses. */
function review({ id, body, at }: Row): object | undefined {
  if (body === 'skip') return undefined;
  if (body === 'throw') throw new TypeError('body is not what it was');
  return { sourceId: String(id), text: body, language: 'en', published: at };
}

const share = shareSandbox();
let sandbox: Sandbox;
let monitoring: number;
beforeEach(async () => {
  ({ sandbox, monitoring } = await share());
});

function run(input: ImportOptions['input'], more: Partial<ImportOptions> = {}) {
  const options = { input, mapping: review, monitoring, connection: sandbox };
  return importDocuments({ stateDir: false, ...options, profile: 'minimal', ...more });
}

describe('a function as the mapping', () => {
  it('makes documents, which are completed as those of a mapping, and dates become texts', async () => {
    const report = await run(rows(1));
    expect(report).toMatchObject({ mapping: 'review', exitCode: 0 });
    expect(await shownDocuments(sandbox, monitoring)).toMatchObject([
      { source: 'RVW', sourceId: '1', text: 'Text 1', published: '2024-06-03T16:30:00.000Z' },
    ]);
    const [shown] = await collect(previewDocuments({ input: rows(1), mapping: review }));
    expect(shown?.document).toMatchObject({
      source: 'RVW',
      metrics: [],
      tags: [],
      detectedLocations: [],
      author: { source: 'RVW', annotations: [] },
      downloaded: expect.stringMatching(/^\d{4}-/),
    });
  });

  it('skips, fails and is held against the schema record by record', async () => {
    const [good] = rows(1);
    const input = [
      { ...good, id: 1 },
      { ...good, id: 2, body: 'skip' },
      { ...good, id: 3, body: 'throw' },
      { ...good, id: 4, body: undefined },
      { ...good, id: 1 },
      { ...good, id: 1, body: 'other' },
    ];
    const rejects = path.join(newFolder(), 'rejects.jsonl');
    const report = await run(input, { rejects });
    expect(report.counts).toMatchObject({ accepted: 1, skipped: 1, duplicate: 1, invalid: 3 });
    const kinds = report.problems.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      'duplicate',
      'mapping-failed',
      'missing-field',
      'repeated-id',
    ]);
    const failed = report.problems.find(({ kind }) => kind === 'mapping-failed');
    expect(failed?.count).toBe(1);
    expect(failed?.examples[0]).toMatchObject({
      record: 3,
      message: "the mapping's function threw on this record: body is not what it was",
    });
    expect(report.rejects[0]?.records).toBe(3);
  });

  eachSample()<[string, () => unknown, RegExp]>([
    ['null', () => null, /returned null; expected a document, or undefined to skip/],
    ['a text', () => 'x', /returned a string; expected a document/],
    ['a promise', () => Promise.reject(new Error('nobody waits')), /returned a promise/],
    ['what holds itself', () => holdsItself(), /can't be written as JSON: .*circular/],
    ['a number as id', () => ({ sourceId: 7 }), /sourceId is 7; expected a string/],
  ])('that gives %s makes the record invalid, and the run continues', async (_, mapping, says) => {
    const report = await run(rows(2), { mapping: mapping as ImportOptions['mapping'] });
    expect(report.counts).toMatchObject({ read: 2, invalid: 2 });
    expect(report.problems).toMatchObject([{ kind: 'mapping-failed', count: 2 }]);
    expect(report.problems[0]?.examples[0]?.message).toMatch(says);
  });

  it('that is async or a generator is refused, with where to do what takes time', async () => {
    for (const mapping of [async () => ({}), function* () {}, async function* () {}]) {
      // The compiler refuses it, too.
      const running = run(rows(1), { mapping: mapping as never });
      await expect(running).rejects.toBeInstanceOf(OptionError);
      await expect(running).rejects.toThrow(/in an async generator and pass it as the input/);
    }
  });

  longTest('is resumed under a key, and refused without one or under another', async () => {
    const stateDir = path.join(newFolder(), 'state');
    const keep = { stateDir, inputKey: 'all', batchSize: 10, concurrency: 1 };
    const first = await interrupted({ ...keep, mappingKey: 'v1' });
    expect(first.resumable).toBe(true);
    await expect(run(rows(200), { ...keep, mappingKey: 'v2', resume: first.run })).rejects.toThrow(
      /the mapping "review" has changed/,
    );
    const report = await run(rows(200), { ...keep, mappingKey: 'v1', resume: true });
    expect(report).toMatchObject({ run: first.run, exitCode: 0 });
    expect(report.counts).toMatchObject({ read: 200, accepted: 200 });
    expect(await shownDocuments(sandbox, monitoring)).toHaveLength(200);

    const other = (await share()).monitoring;
    const second = await interrupted({ ...keep, monitoring: other });
    expect(second.resumable).toBe(false);
    const resuming = run(rows(200), { ...keep, monitoring: other, resume: second.run });
    await expect(resuming).rejects.toBeInstanceOf(ResumeError);
    await expect(resuming).rejects.toThrow(/its mapping is a function.*\(mappingKey\)/);
    // A new run leaves out what is there.
    const { counts } = await run(rows(200), { ...keep, monitoring: other, resume: true });
    expect(counts.duplicate).toBe(second.counts.accepted);
    expect(counts.accepted + counts.duplicate).toBe(200);
  });

  async function interrupted(more: Partial<ImportOptions>) {
    const running = run(rows(200), more);
    for await (const event of running) {
      if (event.type === 'outcome' && event.outcome === 'accepted') break;
    }
    const { report } = await running.then(
      () => expect.fail('it was not interrupted'),
      (error: unknown) => error as RunFailedError,
    );
    expect(report.counts.accepted).toBeLessThan(200);
    return report;
  }
});

describe('finished documents', () => {
  it('are validated and imported as they are, from objects and from files', async () => {
    const document: ImportedDocument = {
      sourceId: '7',
      text: 'Fine',
      language: 'en',
      published: '2024-06-03T16:30:00Z',
      metrics: [{ name: 'score', value: 4 }],
      tags: ['a'],
    };
    const lines = [document, { ...document, sourceId: '8', tags: 'a' }].map((one) =>
      JSON.stringify(one),
    );
    const file = put(newFolder(), 'documents.jsonl', `${lines.join('\n')}\n`);
    const report = await run(file, { mapping: 'documents' });
    expect(report).toMatchObject({ mapping: 'documents', counts: { accepted: 1, invalid: 1 } });
    expect(report.problems).toMatchObject([{ kind: 'wrong-type', fields: { tags: 1 } }]);
    expect(await shownDocuments(sandbox, monitoring)).toMatchObject([
      { sourceId: '7', metrics: [{ name: 'score', value: 4 }], tags: ['a'] },
    ]);
    const again = await run([document, { ...document, sourceId: '9' }], { mapping: 'documents' });
    expect(again.counts.accepted).toBe(2);
  });
});

describe('objects of classes', () => {
  const mapping: Mapping = {
    profile: 'minimal',
    document: {
      sourceId: '{id}',
      text: '{body}',
      language: 'en',
      published: { from: 'at', date: 'iso' },
      metrics: { score: { from: 'score', number: '.' } },
    },
  };
  class Entity {
    readonly id = 12345678901234567890n;
    readonly body = 'Fine';
    readonly at = AT;
    readonly score = { toJSON: () => '4.5' };
    readonly self: Entity = this;
  }
  class Model {
    readonly #row: object;
    constructor(row: object) {
      this.#row = row;
    }
    toJSON(): object {
      return this.#row;
    }
  }

  it('are read as JSON would write them: own fields, or what toJSON gives', async () => {
    const input = [new Entity(), new Model({ id: '2', body: 'Well', at: AT, score: '3' })];
    const report = await run(input, { mapping });
    expect(report.counts).toMatchObject({ accepted: 2 });
    const shown = await shownDocuments(sandbox, monitoring);
    expect(shown.map(({ sourceId, metrics }) => [sourceId, metrics])).toEqual(
      expect.arrayContaining([
        ['12345678901234567890', [{ name: 'score', value: 4.5 }]],
        ['2', [{ name: 'score', value: 3 }]],
      ]),
    );
  });
});

describe('an object that is given for several records', () => {
  async function* reusing(distinct: number): AsyncGenerator<Row> {
    yield* rows(distinct);
    const row = {};
    for (let id = distinct + 1; id <= 1500; id += 1) {
      yield Object.assign(row, { id, body: `Text ${id}`, at: AT });
    }
  }

  it('ends the run with the numbers of both records, and all records before them are sent', async () => {
    const report = await run(reusing(501), { throwOn: 'never' });
    expect(report).toMatchObject({ exitCode: 4, stop: { kind: 'source' } });
    expect(report.stop?.message).toMatch(
      /ends early after record 501: .*the same object for record 502 and record 503.*\{ \.\.\.row \}/,
    );
    expect(report.counts).toMatchObject({ read: 501, accepted: 501 });
    const ids = (await shownDocuments(sandbox, monitoring)).map(({ sourceId }) => Number(sourceId));
    expect(ids.toSorted((a, b) => a - b)).toEqual(rows(501).map(({ id }) => id));
  });
});

describe('an object that throws where it is read', () => {
  const fields = { sourceId: '{id}', text: '{body}', language: 'en', published: '{at}' };
  const mapping: Mapping = { profile: 'minimal', document: fields };
  const fail = (): never => {
    throw new Error('the session is closed');
  };
  const [good = { id: 1 }] = rows(1);
  const says = /reading it threw: the session is closed/;

  eachSample()<[string, () => unknown, RegExp]>([
    ['a symbol', () => ({ ...good, body: Symbol('x') }), /"body": found Symbol\(x\), expected/],
    ['a field with a toJSON that throws', () => ({ ...good, body: { toJSON: fail } }), says],
  ])('is invalid alone: %s', async (_, bad, message) => {
    const input = [{ ...good, id: 1 }, bad(), { ...good, id: 3 }];
    const report = await validateDocuments({ input, mapping });
    expect(report).toMatchObject({ exitCode: 1, counts: { unsent: 2, invalid: 1 } });
    expect(report.problems[0]?.examples).toMatchObject([{ record: 2 }]);
    expect(report.problems[0]?.examples[0]?.message).toMatch(message);
    const previewed = await collect(previewDocuments({ input, mapping }));
    expect(previewed.map(({ place, problems }) => [place.record, problems.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
    await expect(guessMapping({ input })).resolves.toBeDefined();
  });
});

describe('withRecords', () => {
  it('brings the record with its outcome: the very object, or the fields by column', async () => {
    const [good] = rows(1);
    const input = [good, { ...good, id: 2, body: 'throw' }];
    const seen = await outcomes(run(input, { withRecords: true }));
    expect(seen).toEqual([
      ['invalid', { ...good, id: 2, body: 'throw' }],
      ['accepted', good],
    ]);
    expect(seen[1]?.[1]).toBe(good);
    const file = put(newFolder(), 'r.csv', 'id,body\n3,throw\n4,"a\n5,b\n');
    expect(await outcomes(run(file, { withRecords: true }))).toEqual([
      ['invalid', { id: '3', body: 'throw' }],
      ['invalid', null],
      ['accepted', { id: '5', body: 'b' }],
    ]);
  });

  async function outcomes(running: ReturnType<typeof run>): Promise<[string, unknown][]> {
    return (await collect(running)).flatMap((event) =>
      event.type === 'outcome'
        ? event.records.map(({ record }): [string, unknown] => [event.outcome, record])
        : [],
    );
  }
});

function holdsItself(): object {
  const object: Record<string, unknown> = {};
  object['self'] = object;
  return object;
}
