import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptMapping,
  loadMapping,
  parseMapping,
} from '../../../src/mapping/load/load-mapping.js';
import { MappingError } from '../../../src/model/errors.js';
import { newFolder, put } from '../../helpers/files.js';

/** The message with which a mapping is refused. */
function refusal(text: string): string {
  try {
    parseMapping(text, 'm.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(MappingError);
    return (error as Error).message;
  }
  return 'it is accepted';
}

describe('a mapping file', () => {
  test('has defaults for what it leaves out', () => {
    expect(parseMapping('document: { text: "{a}" }', 'a/hotels.yaml')).toEqual({
      name: 'hotels',
      input: {},
      profile: 'complete',
      zone: 'UTC',
      locale: 'en',
      document: { text: '{a}' },
      skip: [],
      tests: [],
    });
  });

  test('may be JSON, with tabs', () => {
    const json = JSON.stringify({ name: 'x', document: { text: '{a}' } }, null, '\t');
    expect(parseMapping(json, 'm.json')).toMatchObject({ name: 'x', document: { text: '{a}' } });
  });

  test('may repeat parts by reference', () => {
    const text = 'document:\n  text: &r { from: a, case: lower }\n  url: *r\n';
    expect(parseMapping(text, 'm').document.url).toEqual({ from: 'a', case: 'lower' });
  });

  test('takes no, N and dates for text', () => {
    const text =
      'asOf: 2024-06-03\ndocument:\n  language: { from: a, values: { Norsk: no, N: on } }';
    expect(parseMapping(text, 'm')).toMatchObject({
      asOf: '2024-06-03',
      document: { language: { values: { Norsk: 'no', N: 'on' } } },
    });
  });

  test.each([
    ['', 'm.yaml:1:1: the file is empty; write a mapping'],
    ['document: { text: a }\nskip:\n  -', 'm.yaml:3:4: skip[0] is null; expected an object'],
    ['- a', 'm.yaml:1:1: the mapping is a list of 1; expected an object'],
    [
      'document:\n  text: x\n  text: y',
      'm.yaml:3:3: this key is a duplicate; each key may appear once',
    ],
    [
      'document: {text: x}\n---\na: 1',
      'm.yaml:2:1: a second document starts here; the file may have only one',
    ],
    ['document: {text: x', 'm.yaml:1:19: a } is missing before this; add it'],
    ...['!!binary aGk=', '!!set {a, b}', '!!omap [a: 1]', '!own x'].map((tagged): string[] => [
      `document: {text: ${tagged}}`,
      'm.yaml:1:18: this tag (!…) is not supported; write the value without it',
    ]),
    ['document: {text: *x}', 'm.yaml:1:18: this alias (*name) has no anchor (&name)'],
    [
      'document:\n  text:',
      'm.yaml:2:8: document.text is null; expected text, a number, true or false or an object',
    ],
    [
      'document: {text: {from: a, text: b}}',
      'm.yaml:1:18: document.text has from and text; expected exactly one of from, text, join, hash, detect, value',
    ],
    [
      'document: {text: {from: a, with: x}}',
      'm.yaml:1:28: document.text.join is missing, but required with with',
    ],
    [
      'document: {text: {from: a, match: "("}}',
      "m.yaml:1:35: document.text.match: this isn't a valid JavaScript regular expression (flag u): /(/u: Unterminated group",
    ],
    [
      'document: {text: "{a"}',
      'm.yaml:1:18: document.text: the brace of "{a" is never closed; write {{ for a brace that is text',
    ],
    [
      'locale: klingon_x\ndocument: {text: a}',
      'm.yaml:1:9: locale: there is no language "klingon_x"; write it like es or pt-BR',
    ],
    [
      'asOf: yesterday\ndocument: {text: a}',
      `m.yaml:1:7: asOf: "yesterday" isn't an ISO 8601 date like 2024-06-03`,
    ],
    [
      'document: {published: {from: a, date: dd/MM}}',
      'm.yaml:1:39: document.published.date: the date format "dd/MM" has no year (yyyy), and the current year is never assumed',
    ],
    [
      'document: {published: {from: a, date: d de MMMM yyyy}}',
      'm.yaml:1:39: document.published.date: the date format "d de MMMM yyyy" has the unknown token e; literal text goes in quotes: \'e\'',
    ],
    [
      'document: {published: {from: a, date: [iso, epoch-second]}}',
      'did you mean "epoch-seconds"?',
    ],
    [
      'document: {text: a}\nskip: [{from: a, blank: true, number: "."}]',
      'skip[0]: number only works with below or above',
    ],
  ])('%j is refused', (text, message) => {
    expect(refusal(text)).toContain(message);
    // YAML that can't be parsed is shown with a caret.
    expect(refusal(text).match(/^m\.yaml:/gm)).toHaveLength(1);
  });
});

describe('a mapping given as an object', () => {
  test('is refused with the place of each mistake', () => {
    const mapping = { document: { metrics: { score: { from: 'a', nmber: '.' } } } };
    expect(() => acceptMapping(mapping, 'options.mapping')).toThrow(
      'options.mapping: document.metrics.score.nmber is an unknown key; did you mean "number"?',
    );
    expect(() => acceptMapping(null, 'x')).toThrow('x: the mapping is null; expected an object');
  });

  test('is not changed later when the program changes its object', () => {
    const document = { text: '{a}' };
    const mapping = acceptMapping({ document }, 'x');
    document.text = '{b}';
    expect(mapping.document.text).toBe('{a}');
  });
});

describe('a file on disk', () => {
  test('is loaded, with or without a byte order mark', async () => {
    const file = put(newFolder(), 'a.mapping.yaml', '\ufeffdocument: { text: "{a}" }');
    expect(await loadMapping(file)).toMatchObject({ name: 'a', document: { text: '{a}' } });
  });

  test('that is missing, a folder or no UTF-8 is refused', async () => {
    const folder = newFolder();
    const missing = path.join(folder, 'none.yaml');
    await expect(loadMapping(missing)).rejects.toThrow(`There is no mapping file ${missing}`);
    await expect(loadMapping(folder)).rejects.toThrow(MappingError);
    const bytes = Buffer.from('document: { text: "Espa\xf1a" }', 'latin1');
    const latin = put(folder, 'latin.yaml', bytes);
    await expect(loadMapping(latin)).rejects.toThrow(`The mapping file ${latin} is not UTF-8`);
  });
});
