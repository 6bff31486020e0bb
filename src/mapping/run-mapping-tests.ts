/** Runs the tests that a mapping carries. */
import { isDeepStrictEqual } from 'node:util';
import { nullTexts, withoutNulls } from '../formats/formats.js';
import { MappingError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import { parsePath } from './compile/column.js';
import { compileMapping, type Mapped } from './compile/compile-mapping.js';
import type { Mapping, MappingTest, SkipCondition } from './mapping.js';
import { shorten } from './steps/value.js';

/** How one test ended. */
export interface MappingTestResult {
  /** Which of the mapping's tests, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly passed: boolean;
  /** One sentence each; none when it passed. */
  readonly differences: readonly string[];
}

/** Stands for the run's start, which a test can't know. */
const DOWNLOADED = '2000-01-01T00:00:00.000Z';

/** Maps a record within bounds: one that takes too long has a problem. */
export type Bounded = (work: () => Mapped) => Mapped;

/**
 * Runs every test of a mapping on its record, which is an object whatever the export is.
 * @param bounded what ends an expression that takes too long, if anything does
 */
export function runMappingTests(
  mapping: Mapping,
  bounded: Bounded = (work) => work(),
): readonly MappingTestResult[] {
  return mapping.tests.map((test, index) => {
    const differences = differencesOf(mapping, test, bounded);
    const name = test.name === undefined ? {} : { name: test.name };
    return { index, ...name, passed: differences.length === 0, differences };
  });
}

function differencesOf(mapping: Mapping, test: MappingTest, bounded: Bounded): readonly string[] {
  const asOf = test.asOf === undefined ? {} : { asOf: test.asOf };
  try {
    const asked = { ...mapping, skip: mapping.skip.filter((one) => isAsked(one, test)) };
    const map = compileMapping(asked, { columns: null, downloaded: DOWNLOADED, ...asOf });
    return compare(
      bounded(() => map(withoutNulls(test.record, nullTexts(mapping.input.nulls ?? [])))),
      test,
    );
  } catch (error) {
    if (error instanceof MappingError) return [error.message];
    throw error;
  }
}

/**
 * A test names the columns that matter to it. One that it does not name is not blank but unknown,
 * and no reason to skip the record, unless the test is about skipping.
 */
function isAsked({ from }: SkipCondition, { record, skipped }: MappingTest): boolean {
  const names = typeof from === 'string' ? [from] : from;
  return skipped === true || names.some((name) => isNamed(name, record));
}

function isNamed(column: string, record: MappingTest['record']): boolean {
  return [column, parsePath(column)?.[0] ?? column].some((key) => Object.hasOwn(record, key));
}

function compare(mapped: Mapped, test: MappingTest): readonly string[] {
  if (mapped.skipped) return test.skipped ? [] : ['the record is skipped'];
  const messages = mapped.problems.map(({ field, message }) =>
    field === null ? message : `${field}: ${message}`,
  );
  if (test.skipped) return ['the record is not skipped'];
  if (test.invalid !== undefined) return compareFields(mapped.problems, test.invalid, messages);
  return messages.length > 0 ? messages : unequal(mapped.document, test.document, '');
}

function compareFields(
  problems: readonly { readonly field: string | null }[],
  expected: readonly string[],
  messages: readonly string[],
): readonly string[] {
  const found = new Set(problems.map(({ field }) => String(field)));
  const readable = expected.filter((field) => !found.has(field));
  const others = messages.filter((_, index) => !expected.includes(String(problems[index]?.field)));
  return [...readable.map((field) => `${field} can be read, or is blank`), ...others];
}

/** What a value lacks of what is expected: maps may hold more, lists and values have to be equal. */
function unequal(found: unknown, expected: unknown, field: string): readonly string[] {
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected).flatMap(([key, value]) => {
      const inner = Object.hasOwn(found, key) ? found[key] : undefined;
      return unequal(inner, value, field === '' ? key : `${field}.${key}`);
    });
  }
  if (isDeepStrictEqual(found, expected)) return [];
  return [`${field} is ${words(found)}, expected ${words(expected)}`];
}

function words(value: unknown): string {
  return value === undefined ? 'absent' : shorten(value);
}
