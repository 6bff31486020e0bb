import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import schema from '../../../schemas/faults.schema.json' with { type: 'json' };
import { OptionError } from '../../../src/model/errors.js';
import { checkFaultPlan, loadFaultPlan } from '../../../src/sandbox/faults/load-plan.js';
import { OPERATIONS } from '../../../src/sandbox/faults/plan.js';
import { newFolder, put } from '../../helpers/files.js';
import { snippets } from '../../helpers/markdown.js';

/** What is wrong with a plan, line by line. */
function mistakes(plan: unknown): string[] {
  try {
    checkFaultPlan(plan, 'plan.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return (error as Error).message.split('\n');
  }
  return [];
}

function fileWith(text: string | Uint8Array, name = 'plan.yaml'): string {
  return put(newFolder(), name, text);
}

/** The message with which a file is refused, without the folder. */
async function refusal(file: string): Promise<string> {
  const error = await loadFaultPlan(file).then(
    () => expect.unreachable('it was taken'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OptionError);
  return (error as Error).message.replaceAll(file, path.basename(file));
}

describe('a plan that can not be used names rule, field, what was expected and what was found', () => {
  const kinds =
    'latency, status, html, rateLimit, reset, hang, truncate, endless, gateway, answer, apply, refuse, countOff, visibleAfterMs, sizeLimit';
  const operations =
    'import, documents, feed, context, authors, indicators, chart, monitorings or any';
  it.each<[unknown, string]>([
    [7, ' is a number; expected a map with rules'],
    [{}, ', rules is missing'],
    [{ rules: [], sede: 1 }, ', sede is an unknown key; did you mean "seed"?'],
  ])('%j', (plan, message) => {
    expect(mistakes(plan)).toEqual([`plan.yaml${message}`]);
  });

  it.each<[object, string]>([
    [{}, ` lacks a key; expected exactly one of ${kinds}`],
    [{ reset: 'after', hang: 'after' }, ` has reset and hang; expected exactly one of ${kinds}`],
    [
      { on: 'inport', status: 1 },
      `, on is "inport"; expected ${operations}; did you mean "import"?`,
    ],
    [{ on: 'documents', countOff: 1 }, ', on is "documents"; expected import, since nothing else'],
    [{ status: 200 }, ', status is the number 200; expected a status from 400 to 599'],
    [
      { status: 503, retryAfter: 'a\nb' },
      ', retryAfter is "a\\nb"; expected a whole number of sec',
    ],
    [
      { reset: 'afer' },
      ', reset is "afer"; expected before or after (the call has its effect); did',
    ],
  ])('%j', (rule, message) => {
    const [first = ''] = mistakes({ rules: [rule] });
    expect(first.slice(0, `plan.yaml, rule 1${message}`.length)).toBe(
      `plan.yaml, rule 1${message}`,
    );
  });
});

describe('a file', () => {
  it.each<[string, string | Uint8Array, string | RegExp]>([
    ['nothing', '', 'plan.yaml is null; expected a map with rules'],
    ['no YAML', 'rules:\n  - status: [500', /^plan\.yaml:2:\d+: /],
    ['a key twice', 'rules: []\nseed: 1\nseed: 2', /^plan\.yaml:3:1: /],
    [
      'other text than UTF-8',
      new Uint8Array([0xff, 0xfe, 0x20]),
      'The fault plan plan.yaml is not UTF-8: save it as UTF-8.',
    ],
  ])('with %s is refused with its place', async (_, text, message) => {
    expect(await refusal(fileWith(text))).toMatch(message);
  });
});

test('the schema knows every operation, and describes every field', () => {
  expect(schema.$defs.operation.enum).toEqual([...OPERATIONS, 'any']);
  const fields = Object.entries(schema.$defs.rule.properties);
  for (const [name, field] of fields) expect(field.description, name).toMatch(/\.$/);
});

describe('docs/faults.md', () => {
  const plans = snippets().filter(
    ({ at, language }) => at.startsWith('docs/faults.md') && language === 'yaml',
  );

  it.each(plans)('$at shows a plan that can be used', async ({ code }) => {
    const plan = await loadFaultPlan(fileWith(code));
    expect(plan.rules.length).toBeGreaterThan(0);
  });

  it('shows every field of a rule', () => {
    const shown = plans.map(({ code }) => code).join('\n');
    for (const field of Object.keys(schema.$defs.rule.properties)) {
      expect(shown, field).toMatch(new RegExp(`\\b${field}:`));
    }
  });
});
