import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Report, type ValidateOptions, validateDocuments } from '../../../src/index.js';
import { newFolder } from '../../helpers/files.js';
import { longTest } from '../../helpers/runs.js';

afterEach(() => void vi.unstubAllEnvs());

/** More ids than fit into the least memory that may be asked for. */
const IDS = 40_000;
const LEAST = 2 ** 20;

function* rows(count: number): Generator<{ id: number }> {
  for (let id = 0; id < count; id += 1) yield { id };
}

async function validate(input: ValidateOptions['input'], rememberBytes: number): Promise<Report> {
  const document = { sourceId: '{id}', text: 'Good', language: { value: 'en' } };
  const published = { value: '2024-06-03T16:30:00Z', date: 'iso' };
  const mapping = { name: 'Ids', profile: 'minimal', document: { ...document, published } };
  return await validateDocuments({ input, mapping, rememberBytes, throwOn: 'never' });
}

describe('repeated sourceIds', () => {
  longTest('finds repeats in a temporary file as it does in memory, and leaves none', async () => {
    const folder = newFolder();
    vi.stubEnv('TMPDIR', folder);
    const twice = function* () {
      yield* rows(IDS);
      yield* rows(10);
    };
    const report = await validate(twice(), LEAST);
    expect(report.counts).toMatchObject({ read: IDS + 10, unsent: IDS, duplicate: 10 });
    expect(report.problems[0]?.examples[0]?.message).toMatch(/^"0" came before .* record 1$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  longTest('ends the run with a report of every record if there can be no file', async () => {
    const folder = path.join(newFolder(), 'missing');
    vi.stubEnv('TMPDIR', folder);
    const { stop, exitCode, counts } = await validate(rows(2 * IDS), LEAST);
    expect(stop?.kind).toBe('output');
    expect(stop?.message).toContain(folder);
    expect(exitCode).toBe(4);
    expect(counts.read).toBeGreaterThan(IDS / 2);
    expect(counts.read).toBeLessThan(2 * IDS);
    expect(counts.unsent).toBe(counts.read);
    expect((await validate(rows(IDS), 16 * LEAST)).exitCode).toBe(0);
  });

  it('refuses so little memory that nothing would fit', async () => {
    await expect(validate(rows(1), LEAST - 1)).rejects.toThrow(/rememberBytes is 1048575/);
  });
});
