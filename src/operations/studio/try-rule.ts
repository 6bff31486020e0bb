/** Tries a rule on a sample before it is written into the mapping. */
import { valueIn } from '../../guess/verify-draft.js';
import type { DocumentRules, Mapping, Rule } from '../../mapping/mapping.js';
import { fieldKeys } from '../../mapping/rules.js';
import type { KeyPath } from '../../model/json-path.js';
import { isAbout } from './health.js';
import { type MappedInput, mapSample } from './map-sample.js';
import { missingColumns } from './replace-column.js';

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
  readonly inputs: Readonly<Record<string, string>>;
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
  const failed = results.filter(({ problem }) => problem !== undefined);
  const different = new Map<string, TriedRecord>();
  for (const one of results) {
    const key = JSON.stringify([one.output, one.problem]);
    if (!different.has(key)) different.set(key, one);
  }
  const samples = [...different.values()].slice(0, MAX_SAMPLES);
  return {
    filled: results.filter(({ output, problem }) => output !== undefined && problem === undefined)
      .length,
    unreadable: failed.length,
    of: results.length,
    problem: failed[0]?.problem ?? null,
    samples: samples.map(({ record, inputs, output = null, problem = null }) => ({
      record,
      inputs: inputs(),
      output,
      problem,
    })),
  };
}

export interface TriedRecord {
  readonly record: number;
  inputs(): Readonly<Record<string, string>>;
  /** Whether any of the rule's columns has a value. */
  isStated(): boolean;
  /** The field's value; `undefined` if there is none. */
  readonly output: unknown;
  readonly problem: string | undefined;
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
      const inputs = (): TrialSample['inputs'] =>
        textsOf(mapped.shown(one).rules[0]?.columns ?? {});
      return {
        record: place.record,
        inputs,
        isStated: () => Object.values(inputs()).some((text) => text.trim() !== ''),
        output: document === null ? undefined : valueIn(document, names),
        problem: own?.kind === 'missing-field' ? undefined : own?.message,
      };
    });
}

function textsOf(values: Readonly<Record<string, unknown>>): TrialSample['inputs'] {
  const texts = Object.entries(values).map(([name, value]) => [name, textOf(value)]);
  return Object.fromEntries(texts);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
