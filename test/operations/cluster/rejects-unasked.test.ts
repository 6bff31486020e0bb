import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAPPING } from '../../helpers/reviews.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { lines, reviews } from '../../reliability/job.js';

/** So much that worker threads transform it. */
const TEXT_CHARACTERS = 30_000;

it.runIf(HAS.postgres)(
  'an import on threads that asks for no rejects has them for whoever asks later',
  async () => {
    const state = await newSharedState();
    const { baseUrl, username, apiKey } = await startWithMonitoring();
    const folder = newFolder();
    const long = reviews(300).map((one) => ({ ...one, text: one.text.padEnd(TEXT_CHARACTERS) }));
    const bad = { id: 'bad', text: '', at: 'never' };
    const importing = {
      ...{ state, mapping: MAPPING, monitoring: 1, threads: 2, throwOn: 'never' as const },
      input: put(folder, 'reviews.jsonl', lines([...long, bad])),
      connection: { baseUrl, username, apiKey },
    };
    const { run, counts, rejects } = await importDocuments(importing);
    expect(counts).toMatchObject({ read: 301, accepted: 300, invalid: 1 });
    expect(rejects).toEqual([]);

    const file = path.join(folder, 'rejects.jsonl');
    await importDocuments({ ...importing, resume: run, rejects: file });
    expect(readFileSync(file, 'utf8')).toContain('"bad"');
  },
);
