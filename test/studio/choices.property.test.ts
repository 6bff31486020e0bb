import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateDocuments } from '../../src/index.js';
import type { StudioAnswer } from '../../src/studio/answers.js';
import type { Evaluation, Proposal } from '../../src/studio/wire.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { ALL_CASES, runs } from '../helpers/runs.js';
import { type OpenStudio, openStudio } from './open-studio.js';

const SAMPLES = path.resolve(import.meta.dirname, '../../samples');
/** Exports that are read quickly: others are drawn from with `DOCFERRY_TESTS=all`. */
const QUICK = [
  'hotel-reviews-with-mistakes.csv',
  'google-reviews-de.csv',
  'trustpilot-apify.csv',
  'app-reviews.jsonl',
];
const FILES = [SAMPLES, ...(HAS.realData ? [REAL_DATA] : [])].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) =>
      ALL_CASES ? /(?<!\.expected)\.(?:csv|tsv|jsonl?|xml)$/u.test(name) : QUICK.includes(name),
    )
    .map((name) => path.join(folder, name)),
);
/** The same draws each time; with `DOCFERRY_TESTS=all`, more of them. */
const SEED = 42;

const FIELDS = [
  ...['text', 'sourceId', 'language', 'sentiment', 'published', 'url', 'tags'],
  ...['metrics.score', 'metrics.likes', 'metrics.Cleanliness'],
  ...['detectedLocations.country', 'detectedLocations.city'],
  ...['author.username', 'author.annotations.Trip'],
];

function pathOf(field: string): readonly (string | number)[] {
  return ['document', ...(field === 'tags' ? ['tags', 0] : field.split('.'))];
}

async function post<T>({ ask }: OpenStudio, place: string, body: object): Promise<T> {
  return (await ask(place, { method: 'POST', body })).json;
}

interface Opened {
  readonly studio: OpenStudio;
  readonly text: string;
  /** Names that rules can use. */
  readonly columns: readonly string[];
}

/** Opens studios, one for each export, with a mapping to begin with. */
function opener(): (file: string) => Promise<Opened> {
  const known = new Map<string, Promise<Opened>>();
  const open = async (file: string): Promise<Opened> => {
    const studio = await openStudio(readFileSync(file), path.basename(file));
    const text = (await post<StudioAnswer<'guess'>>(studio, '/api/guess', {})).guess.mapping;
    const { columns } = await post<StudioAnswer<'columns'>>(studio, '/api/columns', { text });
    return { studio, text, columns: columns.map(({ name }) => name) };
  };
  return (file) => {
    const opened = known.get(file) ?? open(file);
    known.set(file, opened);
    return opened;
  };
}

/** Evaluates a text, and expects what a run over the same records counts. */
async function evaluated(studio: OpenStudio, text: string): Promise<Evaluation> {
  const evaluation = await post<Evaluation>(studio, '/api/evaluate', { text });
  const { health, mistakes, failure } = evaluation;
  const mapping = put(newFolder(), 'studio.mapping.yaml', text);
  const options = { input: [studio.file], mapping, throwOn: 'never' } as const;
  if (health === null) {
    expect(failure !== null || mistakes.some(({ severity }) => severity === 'error')).toBe(true);
    await expect(validateDocuments(options), text).rejects.toThrow();
  } else if (health.whole) {
    const { counts } = await validateDocuments(options);
    const { read: sampled, unsent: valid, invalid, skipped, duplicate } = counts;
    expect(health, text).toMatchObject({ sampled, valid, invalid, skipped, duplicate });
  }
  return evaluation;
}

/** An export, a field, and one of the export's columns by its number. */
const choice: fc.Arbitrary<Choice> = fc.record({
  file: fc.constantFrom(...FILES),
  field: fc.constantFrom(...FIELDS),
  column: fc.nat(60),
});

interface Choice {
  readonly file: string;
  readonly field: string;
  readonly column: string | number;
}

/** Choices that once gave a wrong rule, or an answer that made no sense. */
const REGRESSIONS: readonly Choice[] = [
  { file: 'google-reviews-de.csv', field: 'published', column: 'Datum der Bewertung' },
  { file: 'google-reviews-de.csv', field: 'language', column: 'Bewertung' },
  { file: 'hotel-reviews-with-mistakes.csv', field: 'published', column: 'Date' },
  { file: 'hotel-reviews-with-mistakes.csv', field: 'text', column: 'Disliked' },
  { file: 'trustpilot-apify.csv', field: 'metrics.likes', column: 'reviewDate' },
];

describe('any column chosen for any field', () => {
  it('gets a rule with which records are valid or counted as invalid, or changes nothing', {
    timeout: 240_000,
  }, async () => {
    const open = opener();
    const check = async ({ file, field, column }: Choice): Promise<void> => {
      const { studio, text, columns } = await open(file);
      const chosen = typeof column === 'string' ? column : columns[column % columns.length];
      const body = { text, path: pathOf(field), columns: [chosen] };
      const proposal = await post<Proposal>(studio, '/api/propose', body);
      const { rule: proposed, refusal, formats, also } = proposal;
      if (proposed === null) {
        expect(refusal).toMatch(/^\S.*\.$/su);
        expect({ formats, also }).toEqual({ formats: [], also: [] });
        return;
      }
      const changes = [{ path: pathOf(field), value: proposed }, ...also];
      const edited = await post<{ text: string }>(studio, '/api/edit', { text, changes });
      const { mistakes, failure, health } = await evaluated(studio, edited.text);
      const errors = mistakes.filter(({ severity }) => severity === 'error');
      expect({ errors, failure }, edited.text).toEqual({ errors: [], failure: null });
      const explained = health?.problems.reduce((sum, { records }) => sum + records, 0) ?? 0;
      expect(explained).toBeGreaterThanOrEqual(health?.invalid ?? 0);
    };
    const examples = REGRESSIONS.map((one): [Choice] => [
      { ...one, file: path.join(SAMPLES, one.file) },
    ]);
    const property = fc.asyncProperty(choice, check);
    await fc.assert(property, { numRuns: runs(60), seed: SEED, examples });
  });
});
