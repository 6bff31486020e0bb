import { describe, expect, it } from 'vitest';
import { learnExpectations, type Report, validateDocuments } from '../../../src/index.js';
import { finishRun } from '../../../src/operations/pipeline/finish-run.js';
import { RunControl } from '../../../src/operations/pipeline/import-run.js';
import { prepareRun } from '../../../src/operations/pipeline/prepare-run.js';
import { readDocuments } from '../../../src/operations/pipeline/read-documents.js';
import { runSettings } from '../../../src/operations/settings.js';
import { newFolder, put } from '../../helpers/files.js';

const MAX_IDS = 3000;
const DOCUMENT = {
  sourceId: '{id}',
  text: 'Good',
  language: { value: 'en' },
  published: { value: '2024-06-03T16:30:00Z', date: 'iso' },
} as const;
const MAPPING = { name: 'Ids', profile: 'minimal' as const, document: DOCUMENT };

function* rows(count: number): Generator<{ id: number }> {
  for (let id = 0; id < count; id += 1) yield { id };
}

async function validate(input: Iterable<{ id: number }>): Promise<Report> {
  const options = { input, mapping: MAPPING };
  const settings = runSettings(options);
  const run = await prepareRun(options, { settings, control: new RunControl(), target: null });
  for await (const _ of readDocuments(run, undefined, MAX_IDS));
  return (await finishRun(run)).report;
}

describe('a run with more sourceIds than it can remember', () => {
  it('ends with a report of every record that it has read', async () => {
    const { stop, exitCode, counts } = await validate(rows(100_000));
    expect(stop?.kind).toBe('output');
    expect(stop?.message).toMatch(/more than 3,000 different sourceIds.*--shard\)/);
    expect(exitCode).toBe(4);
    expect(counts.read).toBeGreaterThan(MAX_IDS);
    expect(counts.read).toBeLessThan(100_000);
    expect(counts.unsent).toBe(counts.read);
  });
});

describe('a column that the mapping names and no record of objects has', () => {
  const mapping = {
    ...MAPPING,
    document: { ...DOCUMENT, text: '{review.text}', url: { from: ['url', 'link'] } },
  };
  const records = (count: number, key: string) =>
    Array.from({ length: count }, (_, id) => ({ id, link: 'https://a.b', review: { [key]: 'x' } }));
  const jsonl = (name: string, count: number, key: string) =>
    put(
      newFolder(),
      name,
      records(count, key)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    );

  it('is told with the nearest key, for the input that lacks it', async () => {
    const input = [jsonl('a.jsonl', 3, 'text'), jsonl('b.jsonl', 30_000, 'txt')];
    const { notices } = await validateDocuments({ input, mapping, threads: 1, throwOn: 'never' });
    expect(notices.filter((message) => message.includes('no record has'))).toEqual([
      expect.stringContaining(
        `${input[1]}: no record has "review.text" (did you mean "review.txt"?).`,
      ),
    ]);
  });

  it('stops as drift where the mapping expects it, however few records there are', async () => {
    const expects = await learnExpectations({ input: records(50, 'text'), mapping });
    const run = validateDocuments({ input: records(3, 'txt'), mapping: { ...mapping, expects } });
    await expect(run).rejects.toThrow('columns are missing: "review.text"');
  });
});
