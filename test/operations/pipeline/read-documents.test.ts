import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/index.js';
import { RunStage } from '../../../src/operations/pipeline/import-run.js';
import { prepareRun } from '../../../src/operations/pipeline/prepare-run.js';
import { readDocuments } from '../../../src/operations/pipeline/read-documents.js';
import {
  finishRun,
  openService,
  sendDocuments,
} from '../../../src/operations/pipeline/send-documents.js';
import { runSettings } from '../../../src/operations/settings.js';
import { startTestSandbox } from '../../helpers/start-sandbox.js';

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
  const run = await prepareRun(options, { settings, stage: new RunStage(), target: null });
  for await (const _ of readDocuments(run, undefined, MAX_IDS));
  return (await finishRun(run)).report;
}

describe('a run with more sourceIds than it can remember', () => {
  it('ends with a report of every record that it has read', async () => {
    const { stop, exitCode, counts } = await validate(rows(100_000));
    expect(stop?.kind).toBe('output');
    expect(stop?.message).toMatch(/more than 3,000 different sourceIds.*--state\)/);
    expect(exitCode).toBe(4);
    expect(counts.read).toBeGreaterThan(MAX_IDS);
    expect(counts.read).toBeLessThan(100_000);
    expect(counts.unsent).toBe(counts.read);
  });

  it('sends nothing more', async () => {
    const sandbox = await startTestSandbox();
    await sandbox.ensureMonitoring(1);
    const { baseUrl, username, apiKey } = sandbox;
    const connection = { baseUrl, username, apiKey };
    const options = { input: rows(100_000), mapping: MAPPING, monitoring: 1, connection };
    const settings = runSettings(options);
    const service = openService(options, settings);
    const { target } = service;
    const run = await prepareRun(options, { settings, stage: new RunStage(), target });
    const documents = readDocuments(run, undefined, MAX_IDS);
    await sendDocuments(documents, run, { service, stored: undefined });
    const { exitCode, counts } = (await finishRun(run)).report;
    await service.close();
    expect(exitCode).toBe(4);
    expect(counts.accepted).toBeLessThanOrEqual(MAX_IDS);
    expect(counts.accepted + counts.unsent).toBe(counts.read);
    expect(counts.read).toBeLessThan(100_000);
  });

  it('is none as long as ids repeat', async () => {
    const twice = function* () {
      yield* rows(MAX_IDS);
      yield* rows(10);
    };
    const { counts, exitCode, problems } = await validate(twice());
    expect(counts).toMatchObject({ read: MAX_IDS + 10, unsent: MAX_IDS, duplicate: 10 });
    expect(problems[0]?.examples[0]?.message).toMatch(/^"0" came before .* record 1$/);
    expect(exitCode).toBe(0);
  });
});
