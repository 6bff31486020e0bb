import { expect, type TestContext, test } from 'vitest';
import { OptionError } from '../../src/api/index.js';
import type { Answer } from '../helpers/start-sandbox.js';

/**
 * One case of the contract suite. Its id stands in `README.md` beside the rule of
 * the reference that it shows, and nowhere else in the suite.
 */
export function rule(
  id: string,
  sentence: string,
  run: (context: TestContext) => Promise<void> | void,
): void {
  test(`${sentence} [${id}]`, run);
}

/** The answer must be the error object, and nothing else: at least one message that can be read. */
export function expectRefusal({ status, body }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(Object.keys(body)).toEqual(['errors']);
  expect(body.errors.length).toBeGreaterThan(0);
  for (const error of body.errors) expect(error).toEqual({ message: expect.stringMatching(/\w/) });
}

/** The client itself must refuse what names this, before anything is sent. */
export async function expectOptionError(call: Promise<unknown>, name: string): Promise<void> {
  await expect(call).rejects.toThrow(OptionError);
  await expect(call).rejects.toThrow(name);
}

/** A window that holds every document of the suite. */
export const ALWAYS = { start: '2000-01-01 00:00', end: '2099-12-31 23:59' } as const;

/** The sourceIds of a list, in its order. */
export function keysOf(list: readonly { readonly sourceId?: unknown }[]): unknown[] {
  return list.map(({ sourceId }) => sourceId);
}
