import path from 'node:path';
import { Readable } from 'node:stream';
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
});

describe('coverage', () => {
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
