import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  DriftError,
  type ImportOptions,
  importDocuments,
  learnExpectations,
  type Report,
  type ValidateOptions,
  validateDocuments,
} from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import { shareSandbox } from '../../helpers/start-sandbox.js';
import { lastingCoverage } from '../../report/fixtures.js';

const share = shareSandbox();

const MAPPING = minimalMapping({ metrics: { score: { from: 'score', number: '.' } } });

const NOON = '2024-06-03T12:00:00Z';

function csv(records: number, score: (index: number) => number): string {
  const rows = Array.from(
    { length: records },
    (_, index) => `${index},Text ${index},${score(index)}`,
  );
  return `id,text,score\n${rows.join('\n')}\n`;
}
const GOOD = csv(5000, (index) => 1 + (index % 5));
const DRIFTED = csv(5000, (index) => 1 + (index % 10));

async function learned() {
  const input = put(newFolder(), 'good.csv', GOOD);
  return { ...MAPPING, expects: await learnExpectations({ input, mapping: MAPPING }) };
}

describe('drift', () => {
  it('learns from the first 2,000 records or a few more', async () => {
    const { expects } = await learned();
    expect(expects).toMatchObject({
      columns: ['id', 'text', 'score'],
      blank: { id: 0, text: 0, score: 0 },
      metrics: { score: [1, 5] },
    });
    expect(expects.records).toBeGreaterThanOrEqual(2000);
    expect(expects.records).toBeLessThanOrEqual(5000);
  });

  it('keeps an import from starting: nothing arrives', async () => {
    const mapping = await learned();
    const { sandbox, monitoring } = await share();
    const input = put(newFolder(), 'next.csv', DRIFTED);
    const run = importDocuments({
      stateDir: false,
      input,
      mapping,
      monitoring,
      connection: sandbox,
    });
    await expect(run).rejects.toThrow(DriftError);
    await expect(run).rejects.toThrow('score is between 1 and 10, expected 1 to 5');
    const error = await run.then(undefined, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ drift: [{ source: input, kind: 'metric', name: 'score' }] });
    expect(await shownDocuments(sandbox, monitoring)).toEqual([]);
  });

  it('keeps an import from starting if no object of a file has the column of the score', async () => {
    const { sandbox, monitoring } = await share();
    const lines = (records: number) =>
      Array.from({ length: records }, (_, id) => `{"id":${id},"text":"Text ${id}","scores":3}\n`);
    const ofFile = (records: number) => ({
      ...{ input: put(newFolder(), 'next.jsonl', lines(records).join('')), mapping: MAPPING },
      ...{ monitoring, connection: sandbox },
    });
    const run = importDocuments({ stateDir: false, ...ofFile(20) });
    await expect(run).rejects.toThrow(DriftError);
    await expect(run).rejects.toThrow(
      'none of the first 20 records has score, so metrics.score can\'t be read; did you mean "scores"?',
    );
    expect(await shownDocuments(sandbox, monitoring)).toEqual([]);
    const accepted = await importDocuments({ stateDir: false, ...ofFile(20), acceptDrift: true });
    expect(accepted).toMatchObject({ counts: { accepted: 20 }, drift: [{ kind: 'columns' }] });
    // In a few records a column may be missing by chance.
    expect(await importDocuments({ stateDir: false, ...ofFile(19) })).toMatchObject({
      counts: { read: 19 },
      drift: null,
    });
  });

  it('keeps an import from starting if all objects are skipped and none has an id', async () => {
    const { sandbox, monitoring } = await share();
    const skipping = (record: object) =>
      importDocuments({
        stateDir: false,
        input: put(newFolder(), 'other.jsonl', `${JSON.stringify(record)}\n`.repeat(30)),
        mapping: { ...minimalMapping(), skip: [{ from: 'text', blank: true }] },
        monitoring,
        connection: sandbox,
      });
    const ofAnotherExport = skipping({ review: 'Good' });
    await expect(ofAnotherExport).rejects.toThrow(DriftError);
    await expect(ofAnotherExport).rejects.toThrow('none of the first 30 records has id, text');
    const withoutTexts = await skipping({ id: 7 });
    expect(withoutTexts.counts).toMatchObject({ read: 30, skipped: 30 });
  });

  it.each(['a list', 'an iterable', 'a stream', 'a file'])(
    'keeps an import from starting if no record of %s has a column without which none is valid',
    async (kind) => {
      const { sandbox, monitoring } = await share();
      let given = 0;
      const records = Array.from({ length: 600 }, (_, id) => ({ id: `${id}`, body: `Text ${id}` }));
      async function* iterable(): AsyncGenerator<object> {
        for (const record of records) {
          given += 1;
          yield record;
        }
      }
      const inputs: Readonly<Record<string, ImportOptions['input']>> = {
        'a list': records,
        'an iterable': iterable(),
        'a stream': Readable.from(iterable()),
        'a file': put(
          newFolder(),
          'next.jsonl',
          records.map((one) => JSON.stringify(one)).join('\n'),
        ),
      };
      const document = { sourceId: '{id}', text: '{bdoy}', language: 'en', published: NOON };
      const run = importDocuments({
        ...({ input: inputs[kind] ?? [], mapping: { profile: 'minimal', document } } as const),
        ...{ monitoring, connection: sandbox, stateDir: newFolder() },
      });
      await expect(run).rejects.toMatchObject({ name: 'DriftError', exitCode: 2 });
      await expect(run).rejects.toThrow('has bdoy, so text can\'t be read; did you mean "body"?');
      expect(given).toBeLessThan(600);
      expect(await shownDocuments(sandbox, monitoring)).toEqual([]);
    },
  );

  it('keeps a run that it stopped from being resumed unchecked, until the drift is accepted', async () => {
    const { sandbox, monitoring } = await share();
    const document = { sourceId: '{id}', text: '{bdoy}', language: 'en', published: NOON };
    const rows = Array.from({ length: 40 }, (_, id) => ({ id: `${id}`, body: 'Hi' }));
    const options = {
      ...({ input: rows, inputKey: 'rows', mapping: { profile: 'minimal', document } } as const),
      ...{ monitoring, connection: sandbox, stateDir: newFolder(), resume: true },
    };
    for (const _ of ['first', 'resumed']) {
      await expect(importDocuments(options)).rejects.toThrow(DriftError);
    }
    const accepted = await importDocuments({ ...options, acceptDrift: true });
    expect(accepted.counts).toMatchObject({ read: 40, invalid: 40 });
  });

  it('lets a stream begin with records that lack optional columns', async () => {
    const { sandbox, monitoring } = await share();
    const document = {
      ...{ sourceId: '{id}', text: '{text}', language: 'en', metrics: { score: '{rating}' } },
      published: { from: 'date', date: 'iso' },
    } as const;
    const sparse = (from: number, more: object) =>
      Array.from({ length: 30 }, (_, at) => ({ id: `${from + at}`, text: `Text ${at}`, ...more }));
    async function* input(): AsyncGenerator<object> {
      yield* sparse(0, {});
      await wait(50);
      yield* sparse(30, { rating: 4, date: NOON });
    }
    const report = await importDocuments({
      ...({ input: input(), mapping: { profile: 'minimal', document } } as const),
      ...{ source: { flushMs: 1 }, monitoring, connection: sandbox, stateDir: false },
    } as ImportOptions);
    expect(report.counts).toMatchObject({ read: 60, accepted: 60 });
  });

  it('lets a stream begin with invalid records whose cause is not an absent column', async () => {
    const { sandbox, monitoring } = await share();
    const rows = Array.from({ length: 40 }, (_, id) => ({
      id: `${id}`,
      text: id < 30 ? '' : 'Hi',
    }));
    const report = await importDocuments({
      ...({ input: rows, mapping: MAPPING, monitoring } as const),
      ...({ source: { chunkBytes: 1024 }, connection: sandbox, stateDir: false } as const),
    });
    expect(report.counts).toMatchObject({ read: 40, accepted: 10, invalid: 30 });
  });

  it('lets the first records of a stream be invalid if some of them have the column', async () => {
    const { sandbox, monitoring } = await share();
    const rows = Array.from({ length: 40 }, (_, id) => ({
      id: `${id}`,
      ...(id > 20 && { b: 'Hi' }),
    }));
    const document = { sourceId: '{id}', text: '{b}', language: 'en', published: NOON };
    const options = { mapping: { profile: 'minimal' as const, document }, monitoring };
    const target = { connection: sandbox, stateDir: false } as const;
    const some = await importDocuments({ ...options, ...target, input: rows });
    expect(some.counts).toMatchObject({ read: 40, accepted: 19, invalid: 21 });
    // In a few records a column may be missing by chance.
    const few = await importDocuments({ ...options, ...target, input: rows.slice(0, 19) });
    expect(few.counts).toMatchObject({ read: 19, invalid: 19 });
  });

  it('is told in the notices when it is accepted, and all is imported', async () => {
    const mapping = await learned();
    const { sandbox, monitoring } = await share();
    const input = put(
      newFolder(),
      'next.csv',
      csv(60, (index) => 1 + (index % 10)),
    );
    const options = { input, mapping, monitoring, connection: sandbox, acceptDrift: true };
    const report = await importDocuments({ stateDir: false, ...options });
    expect(report.counts).toMatchObject({ read: 60, accepted: 60 });
    expect(report.notices.join('\n')).toContain('score is between 1 and 10');
    const metric = { kind: 'metric', name: 'score', expected: '1 to 5', found: '1 to 10' };
    expect(report.drift).toMatchObject([{ source: input, ...metric }]);
  });

  it('is checked in every input', async () => {
    const mapping = await learned();
    const at = newFolder();
    const input = [put(at, 'a.csv', GOOD), put(at, 'b.csv', DRIFTED)];
    const run = validateDocuments({ input, mapping });
    await expect(run).rejects.toThrow(/b\.csv has drifted/);
    await expect(run).rejects.not.toThrow(/a\.csv has drifted/);
  });

  it('is checked in what can be read only once, of which nothing is lost', async () => {
    const mapping = await learned();
    const bytes = (): ValidateOptions['input'] => Readable.from([Buffer.from(GOOD)]);
    const objects = (score: number): ValidateOptions['input'] =>
      Array.from({ length: 5000 }, (_, id) => ({ id: `${id}`, text: `Text ${id}`, score }));
    const counts = (report: Report) => report.counts;
    const all = { read: 5000, unsent: 5000 };
    expect(counts(await validateDocuments({ input: bytes(), mapping }))).toMatchObject(all);
    expect(counts(await validateDocuments({ input: objects(4), mapping }))).toMatchObject(all);
    await expect(validateDocuments({ input: objects(9), mapping })).rejects.toThrow(DriftError);
  });

  it('leaves what ends a run to the run: a stream that breaks, an interruption', async () => {
    const mapping = await learned();
    const broken = async function* () {
      yield Buffer.from(GOOD.slice(0, 20_000));
      throw new Error('unplugged');
    };
    const throwOn = 'never';
    const report = await validateDocuments({ input: broken(), mapping, throwOn });
    expect(report.stop).toMatchObject({ kind: 'source' });
    expect(report.counts.read).toBeGreaterThan(500);
    const input = put(newFolder(), 'good.csv', GOOD);
    const signal = AbortSignal.abort();
    const interrupted = validateDocuments({ input, mapping, throwOn, signal });
    expect(await interrupted).toMatchObject({ status: 'interrupted' });
  });
});

describe('coverage', () => {
  it('is in the report of a validation, and null in that of an import', async () => {
    const input = put(
      newFolder(),
      'a.csv',
      csv(30, (index) => 1 + (index % 5)),
    );
    const validated = await validateDocuments({ input, mapping: MAPPING });
    expect(validated.coverage).toMatchObject({
      documents: 30,
      metrics: { score: { least: 1, most: 5, mean: 3 } },
    });
    const { sandbox, monitoring } = await share();
    const target = { monitoring, connection: sandbox };
    const imported = await importDocuments({
      stateDir: false,
      input,
      mapping: MAPPING,
      batchSize: 20,
      ...target,
    });
    expect(imported.coverage).toBeNull();
    expect(imported.batches).toBe(2);
  });

  it('is in that of an import that is asked for it, the same as of a validation', async () => {
    const folder = newFolder();
    const input = put(
      folder,
      'a.csv',
      csv(300, (index) => 1 + (index % 5)),
    );
    const { coverage } = await validateDocuments({ input, mapping: MAPPING });
    const asked = [{ survey: true }, { htmlFile: path.join(folder, 'page.html') }];
    for (const options of asked) {
      const { sandbox, monitoring } = await share();
      const target = { monitoring, connection: sandbox };
      const importing = { input, mapping: MAPPING, batchSize: 20, ...target, ...options };
      const imported = await importDocuments({ stateDir: false, ...importing });
      expect(lastingCoverage(imported.coverage)).toEqual(lastingCoverage(coverage));
    }
  });
});
