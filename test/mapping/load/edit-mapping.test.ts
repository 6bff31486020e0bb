import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editMapping, formatMapping } from '../../../src/mapping/load/edit-mapping.js';
import { MappingError } from '../../../src/model/errors.js';
import { CODE_POINT } from '../../helpers/code-point.js';
import { ROOT } from '../../helpers/markdown.js';
import { runs } from '../../helpers/runs.js';

type Path = readonly (string | number)[];

const TEXT = `# A hotel's reviews
name: Hotel

document:
  # high: sure.
  text: "{Text}" # as it is
  # low: a guess.
  # TODO: look
  language:
    # in words
    from: Lang
    values: { English: en }
  metrics: { score: { from: Stars } }
  tags:
    - "{Room}" # one
    # another
    - from: Trip
      case: lower

skip:
  - { from: Text, blank: true }
`;

const pathOf = (dotted: string): Path =>
  dotted.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

describe('a change of a mapping', () => {
  const LAST = 'blank: true }\n';
  const TRIP = 'case: lower\n';
  const GUEST = { from: 'Guest: name' };
  const LANGUAGE = TEXT.slice(TEXT.indexOf('language:'), TEXT.indexOf('\n  metrics'));
  it.each<[string, string, unknown, string, string]>([
    ['a rule', 'document.text', { from: 'Body' }, '"{Text}"', '{ from: Body }'],
    ['a block', 'document.language', 'en', LANGUAGE, 'language: en'],
    ['an entry of a list', 'document.tags.0', '{Kind}', '"{Room}"', '"{Kind}"'],
    ['an inner value', 'document.tags.1.case', 'upper', 'lower', 'upper'],
    ['a key on one line', 'document.metrics.likes', 'x', 'Stars } }', 'Stars }, likes: x }'],
    ['a field', 'document.author', GUEST, TRIP, `${TRIP}  author: { from: "Guest: name" }\n`],
    ['a new entry of a list', 'document.tags.2', 'hotel', TRIP, `${TRIP}    - hotel\n`],
    ['the next entry of a list', 'document.tags.-', 'hotel', TRIP, `${TRIP}    - hotel\n`],
    ['how it is read', 'input.delimiter', '\t', LAST, `${LAST}\ninput:\n  delimiter: "\\t"\n`],
  ])('writes %s, and nothing else', (_, at, value, before, after) => {
    expect(TEXT).toContain(before);
    expect(editMapping(TEXT, { path: pathOf(at), value })).toBe(TEXT.replace(before, after));
  });

  const BLOCK = TEXT.slice(TEXT.indexOf('  # low'), TEXT.indexOf('  metrics'));
  it.each<[string, string, string]>([
    ['a field and its comment', 'document.text', '  # high: sure.\n  text: "{Text}" # as it is\n'],
    ['a block with all that it holds', 'document.language', BLOCK],
    ['a key of a block', 'document.language.values', '    values: { English: en }\n'],
    ['an entry of a list', 'document.tags.0', '    - "{Room}" # one\n'],
    [
      'what is left empty',
      'document.metrics.score.from',
      '  metrics: { score: { from: Stars } }\n',
    ],
    ['what a file begins with, but for its comment', 'name', 'name: Hotel\n'],
    ['nothing if nothing is there', 'document.url', ''],
  ])('removes %s', (_, at, removed) => {
    expect(TEXT).toContain(removed);
    expect(editMapping(TEXT, { path: pathOf(at) })).toBe(TEXT.replace(removed, ''));
  });

  it('leaves JSON what it is', () => {
    const json = JSON.stringify({ document: { text: '{a}' } }, null, 2);
    const edited = editMapping(json, { path: ['document', 'url'], value: { from: 'b' } });
    const expected = { document: { text: '{a}', url: { from: 'b' } } };
    expect(edited).toBe(JSON.stringify(expected, null, 2));
  });

  it('begins a list that is not there', () => {
    const added = editMapping('name: x\n', {
      path: ['skip', '-'],
      value: { from: 'a', in: ['b'] },
    });
    expect(added).toBe('name: x\nskip: [{ from: a, in: [b] }]\n');
  });

  it('replaces the entry of a list that has a key, wherever it is, or adds it', () => {
    const change = { path: ['skip', '-blank'], value: { from: 'b', blank: true } };
    const text = 'skip:\n  - { from: s, in: [x] }\n';
    const entry = '  - { from: b, blank: true }\n';
    expect(editMapping(`${text}  - { from: a, blank: true }\n`, change)).toBe(text + entry);
    expect(editMapping(text, change)).toBe(text + entry);
    expect(editMapping('name: x\n', change)).toBe('name: x\nskip: [{ from: b, blank: true }]\n');
  });

  it('begins a mapping in an empty text', () => {
    const change = { path: ['document', 'text'], value: { from: 'a' } };
    expect(editMapping('', change)).toBe('document:\n  text: { from: a }\n');
    expect(editMapping('# New', change)).toBe('# New\n\ndocument:\n  text: { from: a }\n');
  });

  it('of a text that has no keys is refused', () => {
    const change = { path: ['document', 'text'], value: 'a' };
    expect(() => editMapping('abc\n', change)).toThrow("the mapping isn't a map of keys");
    expect(formatMapping('')).toBe('');
    expect(formatMapping('# New\n')).toBe('# New\n');
  });

  it('keeps the comments about the file and about sections when a key goes', () => {
    const text =
      '# About the file\n\nname: x\ndocument:\n  text: a\n  # Places\n\n  # of the hotel\n  url: b\n  tags: [c]\n';
    const without = editMapping(text, { path: ['name'] });
    expect(without).toContain('# About the file');
    const edited = editMapping(text, { path: ['document', 'url'] });
    expect(edited).toContain('# Places');
    expect(edited).not.toContain('# of the hotel');
  });

  it('of what others refer to is refused, and of what is no YAML', () => {
    const text = 'document:\n  text: &r { from: a }\n  url: *r\n';
    expect(() => editMapping(text, { path: ['document', 'text'], value: 'x' })).toThrow(
      "document.text can't be changed on its own",
    );
    expect(editMapping(text, { path: ['document', 'url'], value: 'x' })).toBe(
      text.replace('*r', 'x'),
    );
    const inside = { path: ['document', 'url', 'from'], value: 'b' };
    expect(() => editMapping(text, inside)).toThrow("document.url.from can't be changed");
    const shared = { path: ['document', 'text', 'from'], value: 'b' };
    expect(() => editMapping(text, shared)).toThrow("document.text.from can't be changed");
    expect(() => editMapping('a: {', { path: ['b'], value: 1 })).toThrow(MappingError);
  });
});

const MAPPINGS = readdirSync(path.join(ROOT, 'mappings')).map((name) =>
  readFileSync(path.join(ROOT, 'mappings', name), 'utf8'),
);

/** Paths of all values of a mapping. */
function pathsIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[...at, step], ...pathsIn(inner, [...at, step])];
  });
}

const valueAt = (value: unknown, at: Path): unknown =>
  at.reduce((inner, step) => (inner as Record<string | number, unknown>)[step], value);

const rule = fc.oneof(
  fc.string({ unit: CODE_POINT }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.record({ from: fc.string(), values: fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }) }),
);

/** A mapping that comes with docferry and has no aliases, and the path of one of its values. */
const place = fc
  .constantFrom(...MAPPINGS.filter((text) => !/: &\w/u.test(text)))
  .chain((text) => fc.tuple(fc.constant(text), fc.constantFrom(...pathsIn(parse(text)))));

describe('the mappings that come with docferry', () => {
  it('take any value at any place, and lose no other and no comment', () => {
    fc.assert(
      fc.property(place, rule, fc.constantFrom('\n', '\r\n'), ([text, at], value, lineEnd) => {
        const before = text.replaceAll('\n', lineEnd);
        const edited = editMapping(before, { path: at, value });
        expect(valueAt(parse(edited), at)).toEqual(value);
        const old = valueAt(parse(before), at);
        // A block may have comments inside.
        const lost = commentsOf(before).filter((comment) => !edited.includes(comment));
        if (typeof old !== 'object') expect(lost).toEqual([]);
        // Writing back what was there gives the mapping that was there.
        expect(parse(editMapping(edited, { path: at, value: old }))).toEqual(parse(before));
      }),
      { numRuns: runs(60) },
    );
  });

  it('lose nothing else when a value is removed, and take it again', () => {
    fc.assert(
      fc.property(place, ([text, at]) => {
        const edited = editMapping(text, { path: at });
        expect(edited.length).toBeLessThan(text.length);
        if (at.some((step) => typeof step === 'number')) return;
        const restored = editMapping(edited, { path: at, value: valueAt(parse(text), at) });
        expect(parse(restored)).toEqual(parse(text));
      }),
      { numRuns: runs(100) },
    );
  });
});

function commentsOf(text: string): readonly string[] {
  return text.match(/(?<=^|\s)#.*/gu) ?? [];
}
