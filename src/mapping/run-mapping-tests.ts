import { isDeepStrictEqual } from 'node:util';
import { nullTexts, withoutNulls } from '../formats/read-records.js';
import { MappingError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import { pathIn } from './compile/column.js';
import { compileMapping, type Mapped } from './compile/compile-mapping.js';
import type { Mapping, MappingTest, SkipCondition } from './mapping.js';
import { valueText } from './steps/value.js';

export interface MappingTestResult {
  /** Index among the mapping's tests, from 0. */
  readonly index: number;
  readonly name?: string;
  readonly passed: boolean;
  /** One sentence each; empty if it passed. */
  readonly differences: readonly string[];
}

/** Placeholder for the start of a run, which tests don't have. */
const DOWNLOADED = '2000-01-01T00:00:00.000Z';

/** Runs every test of a mapping. Test records are objects, whatever the format of the export. */
export function runMappingTests(mapping: Mapping): readonly MappingTestResult[] {
  return mapping.tests.map((test, index) => {
    const differences = differencesOf(mapping, test);
    const name = test.name === undefined ? {} : { name: test.name };
    return { index, ...name, passed: differences.length === 0, differences };
  });
}

function differencesOf(mapping: Mapping, test: MappingTest): readonly string[] {
  const asOf = test.asOf === undefined ? {} : { asOf: test.asOf };
  try {
    const relevant = { ...mapping, skip: mapping.skip.filter((one) => appliesTo(one, test)) };
    const map = compileMapping(relevant, { columns: null, downloaded: DOWNLOADED, ...asOf });
    return compare(map(withoutNulls(test.record, nullTexts(mapping.input.nulls ?? []))), test);
  } catch (error) {
    if (error instanceof MappingError) return [error.message];
    throw error;
  }
}

/**
 * Returns whether a skip condition applies to a test. A test names only the columns that matter to
 * it: an absent column is unknown, not blank, so it doesn't skip the record unless the test is
 * about skipping.
 */
function appliesTo({ from }: SkipCondition, { record, skipped }: MappingTest): boolean {
  const names = typeof from === 'string' ? [from] : from;
  return skipped === true || names.some((name) => isNamed(name, record));
}

function isNamed(column: string, record: MappingTest['record']): boolean {
  return [column, String(pathIn(column)?.[0] ?? column)].some((key) => Object.hasOwn(record, key));
}

function compare(mapped: Mapped, test: MappingTest): readonly string[] {
  if (mapped.skipped) return test.skipped ? [] : ['the record is skipped'];
  const messages = mapped.problems.map(({ field, message }) =>
    field === null ? message : `${field}: ${message}`,
  );
  if (test.skipped) return ['the record is not skipped'];
  if (test.invalid !== undefined) return compareFields(mapped.problems, test.invalid, messages);
  return messages.length > 0 ? messages : fieldDifferences(mapped.document, test.document, '');
}

function compareFields(
  problems: readonly { readonly field: string | null }[],
  expected: readonly string[],
  messages: readonly string[],
): readonly string[] {
  const found = new Set(problems.map(({ field }) => String(field)));
  const readable = expected.filter((field) => !found.has(field));
  const others = messages.filter((_, index) => !expected.includes(String(problems[index]?.field)));
  return [
    ...readable.map((field) => `${field} is readable or blank, expected it to be unreadable`),
    ...others,
  ];
}

/**
 * Lists differences from the expected value: maps may hold more, lists and values must be equal.
 */
function fieldDifferences(found: unknown, expected: unknown, field: string): readonly string[] {
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected).flatMap(([key, value]) => {
      const inner = Object.hasOwn(found, key) ? found[key] : undefined;
      return fieldDifferences(inner, value, field === '' ? key : `${field}.${key}`);
    });
  }
  if (isDeepStrictEqual(found, expected)) return [];
  return [`${field} is ${show(found)}, expected ${show(expected)}`];
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : valueText(value);
}
