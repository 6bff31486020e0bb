/** Tries a rule on a sample before it is written into the mapping. */
import { valueIn } from '../../guess/check-sample.js';
import { frequencies } from '../../guess/ranking.js';
import type { DocumentRules, Mapping, Rule } from '../../mapping/mapping.js';
import { fieldKeys, mainColumns } from '../../mapping/rules.js';
import type { KeyPath } from '../../model/json-path.js';
import { isAbout } from './health.js';
import { type MappedInput, mapSample, missingColumns } from './map-sample.js';
import { readMappingText } from './sample-source.js';

/** How a rule does on the records that the mapping doesn't skip. */
export interface Trial {
  /** Number of records with a value. */
  readonly filled: number;
  /** Number of records without one because the rule fails, or the field doesn't take its value. */
  readonly unreadable: number;
  readonly of: number;
  /** The first problem, as a sentence. */
  readonly problem: string | null;
  /** Up to five records with different results. */
  readonly samples: readonly TrialSample[];
  /** Values of the rule's only column that it can't read, the most frequent first. */
  readonly unread: readonly UnreadValue[];
  /** Whether a document is complete without the field. */
  readonly isOptional: boolean;
}

export interface UnreadValue {
  readonly value: string;
  /** Number of records with it. */
  readonly records: number;
}

export interface TrialSample {
  /** Its number in the file. */
  readonly record: number;
  /** The values of the rule's columns. */
  readonly inputs: readonly string[];
  /** `null` if there is none. */
  readonly output: unknown;
  readonly problem: string | null;
}

const MAX_SAMPLES = 5;
const MAX_UNREAD = 5;

/**
 * @param path of the rule in the mapping: `document`, `metrics`, `score`
 * @throws MappingError if the rule is wrong, or names columns that the file lacks
 */
export function tryRule(sample: MappedInput, mapping: Mapping, path: KeyPath, rule: Rule): Trial {
  const { zone, locale, asOf } = mapping;
  const alone = { zone, locale, asOf, document: documentWith(path, rule) };
  const { error } = readMappingText(JSON.stringify(alone), '');
  if (error !== undefined) throw error;
  const results = tryRecords(sample, mapping, path, rule);
  const failed = results.filter(({ problem }) => problem !== null);
  const different = new Map<string, TriedRecord>();
  for (const one of results) {
    const key = JSON.stringify([one.output, one.problem]);
    if (!different.has(key)) different.set(key, one);
  }
  const samples = [...different.values()].slice(0, MAX_SAMPLES);
  return {
    filled: results.filter(isFilled).length,
    unreadable: failed.length,
    of: results.length,
    problem: failed[0]?.problem ?? null,
    samples: samples.map(({ isMissing: _, ...one }) => ({ ...one, inputs: one.inputs() })),
    unread: mainColumns(rule).length === 1 ? unreadValues(failed) : [],
    isOptional: !isRequired(sample, mapping, path),
  };
}

/** Counts the values that a rule fails on. */
function unreadValues(failed: readonly TriedRecord[]): readonly UnreadValue[] {
  return frequencies(failed.flatMap((one) => one.inputs()[0]?.trim() || []))
    .slice(0, MAX_UNREAD)
    .map(([value, records]) => ({ value, records }));
}

function isRequired(sample: MappedInput, mapping: Mapping, path: KeyPath): boolean {
  const first = { ...sample, parsed: sample.parsed.slice(0, 1) };
  const empty = tryRecords(first, { ...mapping, skip: [] }, path, { value: '' });
  return empty.some(({ isMissing }) => isMissing);
}

/** A sample whose inputs are looked up when they are needed. */
export interface TriedRecord extends Omit<TrialSample, 'inputs'> {
  /** Whether the document needs the field and doesn't have it. */
  readonly isMissing: boolean;
  inputs(): TrialSample['inputs'];
}

export function isFilled({ output, problem }: TriedRecord): boolean {
  return output !== null && problem === null;
}

/** Lists what a rule makes of each record that the mapping doesn't skip. */
export function tryRecords(
  sample: MappedInput,
  mapping: Mapping,
  path: KeyPath,
  rule: Rule,
): readonly TriedRecord[] {
  const { columns } = sample.source.layout;
  // Conditions on columns that are gone are a mistake elsewhere.
  const skip = mapping.skip.filter(
    (condition) => missingColumns({ document: {}, skip: [condition] }, columns).length === 0,
  );
  const mapped = mapSample(sample, { ...mapping, skip, document: documentWith(path, rule) });
  const names = fieldKeys(path);
  const field = names.join('.');
  return mapped.records
    .filter(({ outcome }) => outcome !== 'skipped')
    .map((one) => {
      const { document, problems, place } = one;
      const own = problems.find((found) => isAbout(found.field, field));
      const isMissing = own?.kind === 'missing-field';
      return {
        isMissing,
        record: place.record,
        inputs: () => Object.values(mapped.shown(one).rules[0]?.columns ?? {}).map(textOf),
        output: document && (valueIn(document, names) ?? null),
        problem: own === undefined || isMissing ? null : own.message,
      };
    });
}

/** A mapping's document with a single rule. */
function documentWith(path: KeyPath, rule: Rule): DocumentRules {
  return path.slice(1).reduceRight<unknown>((inner, step) => {
    return typeof step === 'number' ? [inner] : { [step]: inner };
  }, rule) as DocumentRules;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
