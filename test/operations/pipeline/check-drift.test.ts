import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  DriftError,
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

  it('is found by the run that resumes one stopped in the middle of the check', async () => {
    const mapping = await learned();
    const { sandbox, monitoring } = await share();
    const input = put(newFolder(), 'next.csv', DRIFTED);
    const options = { stateDir: newFolder(), input, mapping, monitoring, connection: sandbox };
    const stopped = await importDocuments({
      ...options,
      throwOn: 'never',
      signal: AbortSignal.abort(),
    });
    expect(stopped).toMatchObject({ stop: { kind: 'interrupted' }, resumable: true });
    await expect(importDocuments({ ...options, resume: true })).rejects.toThrow(DriftError);
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

  it('keeps an import of a file from starting if none of its objects has a column that it needs', async () => {
    const { sandbox, monitoring } = await share();
    const rows = Array.from({ length: 600 }, (_, id) => ({ id: `${id}`, body: `Text ${id}` }));
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const document = { sourceId: '{id}', text: '{bdoy}', language: 'en', published: NOON };
    const options = {
      ...({ mapping: { profile: 'minimal', document }, monitoring } as const),
      ...({ connection: sandbox, stateDir: newFolder() } as const),
    };
    const run = importDocuments({ ...options, input: put(newFolder(), 'next.jsonl', lines) });
    await expect(run).rejects.toThrow('has bdoy, so text can\'t be read; did you mean "body"?');
    const report = await importDocuments({ ...options, input: rows });
    expect(report).toMatchObject({ exitCode: 1, counts: { read: 600, invalid: 600 } });
    expect(report.diagnosis).toMatch(/^Nothing was imported: one rule fails/);
    expect(report.notices.join('\n')).toContain('bdoy');
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
