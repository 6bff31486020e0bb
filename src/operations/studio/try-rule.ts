/** Tries a rule on a sample before it is written into the mapping. */
import { valueIn } from '../../guess/verify-draft.js';
import type { DocumentRules, Mapping, Rule } from '../../mapping/mapping.js';
import { fieldKeys } from '../../mapping/rules.js';
import type { KeyPath } from '../../model/json-path.js';
import { isAbout } from './health.js';
import { type MappedInput, mapSample, missingColumns } from './map-sample.js';

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

/**
 * @param path of the rule in the mapping: `document`, `metrics`, `score`
 * @throws MappingError if the rule is wrong, or names columns that the file lacks
 */
export function tryRule(sample: MappedInput, mapping: Mapping, path: KeyPath, rule: Rule): Trial {
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
    samples: samples.map((one) => ({ ...one, inputs: one.inputs() })),
  };
}

/** A sample whose inputs are looked up when they are needed. */
export interface TriedRecord extends Omit<TrialSample, 'inputs'> {
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
  const alone = path.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    rule,
  ) as { readonly document: DocumentRules };
  // Conditions on columns that are gone are a mistake elsewhere.
  const skip = mapping.skip.filter(
    (condition) => missingColumns({ document: {}, skip: [condition] }, columns).length === 0,
  );
  const mapped = mapSample(sample, { ...mapping, skip, ...alone });
  const names = fieldKeys(path);
  const field = names.join('.');
  return mapped.records
    .filter(({ outcome }) => outcome !== 'skipped')
    .map((one) => {
      const { document, problems, place } = one;
      const own = problems.find((found) => isAbout(found.field, field));
      return {
        record: place.record,
        inputs: () => Object.values(mapped.shown(one).rules[0]?.columns ?? {}).map(textOf),
        output: document && (valueIn(document, names) ?? null),
        problem: own === undefined || own.kind === 'missing-field' ? null : own.message,
      };
    });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
