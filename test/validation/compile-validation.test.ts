import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportedDocument } from '../../src/model/document.js';
import { OptionError } from '../../src/model/errors.js';
import {
  compileValidation,
  type Profile,
  type ValidateDocument,
} from '../../src/validation/schemas.js';
import { COMPLETE } from './complete-document.js';

const MINIMAL = { source: 'RVW', sourceId: 'r-1', text: 'Muy bien' };

const complete = compileValidation();
const minimal = compileValidation({ profile: 'minimal' });

/** The problems of a complete document with some of its fields changed, as "kind field". */
function problemsWith(changes: object, validate: ValidateDocument = complete): string[] {
  const document = { ...COMPLETE, ...changes } as ImportedDocument;
  return validate(document).map(({ kind, field }) => `${kind} ${field}`);
}

function messageWith(changes: object): string | undefined {
  return complete({ ...COMPLETE, ...changes } as ImportedDocument)[0]?.message;
}

function without(field: string): ImportedDocument {
  return Object.fromEntries(Object.entries(COMPLETE).filter(([name]) => name !== field));
}

describe('the complete profile', () => {
  it('takes a full document, with or without the two optional fields', () => {
    expect(complete(COMPLETE)).toEqual([]);
    expect(complete({ ...COMPLETE, parentSourceId: null, tags: ['a', 'b'] })).toEqual([]);
    expect(complete({ ...COMPLETE, parentSourceId: 'r-0', tags: [] })).toEqual([]);
  });

  it.each(Object.keys(COMPLETE))('misses %s', (field) => {
    expect(complete(without(field)).map((problem) => [problem.kind, problem.field])).toEqual([
      ['missing-field', field],
    ]);
  });

  it('names the minimal profile only where that would help', () => {
    expect(complete(without('language'))[0]?.message).toContain('minimal profile');
    expect(complete(without('author'))[0]?.message).toContain('minimal profile');
    expect(complete(without('text'))[0]?.message).not.toContain('minimal');
    expect(complete({ ...COMPLETE, author: {} })[0]?.message).toContain('minimal profile');
  });

  it.each([
    ['source', 'FCP', 'not-allowed-value'],
    ['sourceId', ' \n', 'blank'],
    ['parentSourceId', '', 'blank'],
    ['text', null, 'wrong-type'],
    ['language', 'Español', 'bad-format'],
    ['sentiment', 'b', 'not-allowed-value'],
    ['published', '2024-06-03T16:30:00', 'bad-format'],
    ['published', '2023-02-29T16:30:00Z', 'bad-format'],
    ['url', 'www.example.com', 'bad-format'],
    ['tags', 'a,b', 'wrong-type'],
    ['tags', ['a', 'b', 'a'], 'repeated-value'],
    ['extra', 1, 'unknown-field'],
  ])('refuses %s = %j as %s', (field, value, kind) => {
    expect(problemsWith({ [field]: value })).toEqual([`${kind} ${field}`]);
  });

  it.each([
    [{ detectedLocations: ['city: Rivas', 'city: '] }, 'bad-format detectedLocations[1]'],
    [{ metrics: [{ name: 'score', value: '4' }] }, 'wrong-type metrics[0].value'],
    [{ metrics: [{ name: 'score', value: Number.NaN }] }, 'wrong-type metrics[0].value'],
    [{ tags: ['ok', ' '] }, 'blank tags[1]'],
    [
      { author: { ...COMPLETE.author, annotations: [{ name: 'a', value: 1 }] } },
      'wrong-type author.annotations[0].value',
    ],
  ])('finds what is wrong inside %j', (changes, problem) => {
    expect(problemsWith(changes)).toEqual([problem]);
  });

  it.each(['pt-BR', 'zh-Hans', 'es-419', 'fil', 'cs'])('takes the language code %s', (language) => {
    expect(problemsWith({ language })).toEqual([]);
  });
});

describe('the minimal profile', () => {
  it('takes a document with source, sourceId and text, and one that has all', () => {
    expect(minimal(MINIMAL)).toEqual([]);
    expect(minimal(COMPLETE)).toEqual([]);
    expect(minimal({ ...MINIMAL, author: {} })).toEqual([]);
  });
});

describe('messages', () => {
  it('name the field, the value and what was expected', () => {
    expect(messageWith({ sentiment: 'X' })).toBe(
      'sentiment is "X"; expected B (good), N (neutral) or R (bad)',
    );
    expect(messageWith({ metrics: [{ name: 'score', value: true }] })).toBe(
      'metrics[0].value is true; expected a number',
    );
  });
});

describe("a user's own schema", () => {
  const own = (schema: object) => compileValidation({ schema, schemaName: 'own.json' });

  it('can build on a profile', () => {
    const validate = own({
      $ref: 'imported-document-minimal.schema.json',
      required: ['tags', 'text'],
      properties: { text: { minLength: 3 } },
    });
    expect(validate({ ...MINIMAL, tags: [] })).toEqual([]);
    expect(
      validate({ source: 'RVW', sourceId: '1' })
        .map(({ field }) => field)
        .sort(),
    ).toEqual(['tags', 'text']);
    expect(validate({ ...MINIMAL, tags: [], text: 'ab' })[0]).toEqual({
      kind: 'too-short',
      field: 'text',
      message: 'text is "ab"; expected 3 or more characters',
    });
  });

  it('works as the documentation shows', () => {
    const page = readFileSync(
      path.resolve(import.meta.dirname, '../../docs/validation.md'),
      'utf8',
    );
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const validate = own(JSON.parse(example) as object);
    const problems = validate({ ...COMPLETE, tags: [], text: 'x'.repeat(5001) });
    expect(problems.map(({ kind, field }) => `${kind} ${field}`)).toEqual(['too-long text']);
    expect(problems[0]?.message).toContain('expected a text of at most 5,000 characters');
  });

  it('speaks with the words of x-expected', () => {
    const validate = own({ properties: { text: { pattern: '^#', 'x-expected': 'a hashtag' } } });
    expect(validate({ text: 'x' })[0]?.message).toBe('text is "x"; expected a hashtag');
  });

  it('gives one sentence for a choice, not one for each branch', () => {
    const validate = own({
      anyOf: [{ required: ['url'] }, { required: ['text'] }],
      properties: {
        language: { anyOf: [{ const: 'es' }, { $ref: '#/$defs/code' }] },
        tags: { oneOf: [{ minItems: 1 }, { maxItems: 2 }] },
      },
      $defs: { code: { type: 'string', minLength: 9 } },
      required: ['sourceId'],
    });
    const problems = validate({ language: 'x', tags: ['a'] });
    expect(problems.map(({ kind, field }) => `${kind} ${field}`)).toEqual([
      'schema null',
      'missing-field sourceId',
      'schema language',
      'schema tags',
    ]);
  });

  it.each([
    [[], 'not a JSON object'],
    [{ type: 'strin' }, 'data/type'],
    [{ $ref: 'elsewhere.json' }, 'elsewhere.json'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'expected JSON Schema 2020-12'],
    [{ properties: { url: { format: 'iri' } } }, 'unknown format "iri"'],
    [{ $async: true }, '$async'],
  ])('that is unusable (%j) is refused with the reason', (schema, reason) => {
    expect(() => own(schema)).toThrow(OptionError);
    expect(() => own(schema)).toThrow(reason);
    expect(() => own(schema)).toThrow('own.json');
  });
});

it('refuses a profile that does not exist', () => {
  const profile = 'strict' as Profile;
  expect(() => compileValidation({ profile })).toThrow('expected complete or minimal');
});
