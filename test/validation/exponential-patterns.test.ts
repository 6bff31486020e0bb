import { describe, expect, it } from 'vitest';
import { validateDocuments } from '../../src/index.js';
import { exponentialPattern } from '../../src/validation/schemas.js';

const INPUT = [{ id: 1, text: 'a' }];
const DOCUMENT = { sourceId: '{id}', text: '{text}' };

function validate(more: object, document: object = {}): Promise<unknown> {
  const mapping = {
    name: 'm',
    profile: 'minimal',
    document: { ...DOCUMENT, ...document },
  } as const;
  return Promise.resolve(validateDocuments({ input: INPUT, mapping, ...more }));
}

describe('an expression', () => {
  it.each([
    '^(a+)+$',
    String.raw`^(\w+\s?)*$`,
    '(x+x+)+y',
    String.raw`(\d+|\w+)*!`,
    String.raw`(?:\s*\S+\s*)+$`,
    '([^,]*,?)*$',
    '(a+){2,}c',
  ])('whose time may double with each character is named: %s', (source) => {
    expect(exponentialPattern(source)).toMatch(
      /can take practically forever on some texts, because .*;/,
    );
  });

  it.each([
    String.raw`-?\d+(?:[.,]\d+)?`,
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    String.raw`^(?:\d{4}-\d\d-\d\d ?)+$`,
    String.raw`\s*\(Translated by Google\)[\s\S]*$`,
    '(?<=a)(?:b+c)+(?!d)',
    '(?:[^"]|"")*',
    String.raw`(?:\p{L}+ )*\p{L}+`,
  ])('that comes to its end is used: %s', (source) => {
    expect(exponentialPattern(source)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['document.text.match', { text: { from: 'text', match: '^(a+)+$' } }],
    ['document.text.replace', { text: { from: 'text', replace: { '^(a+)+$': '' } } }],
    ['document.tags[0].match', { tags: [{ from: 'text', match: '^(a+)+$' }] }],
  ])('is refused with its place, %s', async (place, document) => {
    await expect(validate({}, document)).rejects.toMatchObject({
      name: 'MappingError',
      exitCode: 2,
      message: expect.stringContaining(
        `${place}: the expression "^(a+)+$" can take practically forever on some texts, because (a+)+ can match the same text in many ways; rewrite it`,
      ),
    });
  });

  it('is refused in a condition of skip', async () => {
    const mapping = {
      name: 'm',
      profile: 'minimal',
      document: DOCUMENT,
      skip: [{ from: 'text', matches: '^(a+)+$' }],
    } as const;
    await expect(validateDocuments({ input: INPUT, mapping })).rejects.toThrow(
      'skip[0].matches: the expression "^(a+)+$" can take',
    );
  });

  it.each([{ pattern: '^(a+)+$' }, { type: 'object', patternProperties: { '^(a+)+$': {} } }])(
    'is refused in a schema of the own: %j',
    async (schema) => {
      await expect(validate({ schema: { properties: { text: schema } } })).rejects.toMatchObject({
        name: 'OptionError',
        message: expect.stringMatching(
          /^The schema .* can't be used: the expression "\^\(a\+\)\+\$"/,
        ),
      });
    },
  );
});
