import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeExpectations } from '../../../src/mapping/load/edit-mapping.js';
import { parseMapping } from '../../../src/mapping/load/load-mapping.js';
import type { Expectations } from '../../../src/mapping/mapping.js';
import { MappingError } from '../../../src/model/errors.js';
import { eachSample } from '../../helpers/runs.js';
import { mappingNames, mappingPath } from '../../mappings/mappings.js';

const EXPECTS: Expectations = {
  records: 12,
  columns: ['id', 'Größe: "x"', '#'],
  blank: { id: 0, 'Größe: "x"': 0.25 },
  invalid: 0,
  skipped: 0.5,
  metrics: { score: [1, 5] },
  published: ['2024-01-01', '2024-12-31'],
  languages: { no: 0.75, es: 0.25 },
  textLength: 80,
};
const OTHER: Expectations = { ...EXPECTS, records: 99, languages: {} };

describe('expectations in a mapping file', () => {
  eachSample(2)(mappingNames())('are added to %s, of which nothing else changes', (name) => {
    const text = readFileSync(mappingPath(name), 'utf8');
    const written = writeExpectations(text, name, EXPECTS);
    expect(parseMapping(written, name)).toEqual({ ...parseMapping(text, name), expects: EXPECTS });
    for (const comment of text.match(/(?<=^|\s)#.*/gu) ?? []) expect(written).toContain(comment);
    // Learned a second time, they are where they were.
    const again = writeExpectations(written, name, OTHER);
    expect(again.startsWith(written.slice(0, written.indexOf('\nexpects:')))).toBe(true);
    expect(writeExpectations(again, name, EXPECTS)).toBe(written);
  });

  it.each([
    ['in the middle', 'document: { text: "{t}" } # the text\n', '\n# tests\ntests: []\n'],
    ['at the start', '', 'document:\n  # all of it\n  text: "{t}"\n'],
    ['at the end, without a line end', 'document: { text: "{t}" }\r\n', ''],
  ])('are replaced where they stand: %s', (_, before, after) => {
    const old =
      'expects: { records: 1, blank: {}, invalid: 0, skipped: 0, metrics: {}, languages: {} }';
    const text = `${before}${old}${after === '' ? '' : '\n'}${after}`;
    const written = writeExpectations(text, 'm.yaml', EXPECTS);
    expect(written.startsWith(before)).toBe(true);
    expect(written.endsWith(after)).toBe(true);
    expect(parseMapping(written, 'm.yaml').expects).toEqual(EXPECTS);
    expect(written).not.toContain('records: 1,');
  });

  it('keep the comments around a block that is replaced', () => {
    const text =
      'document: { text: "{t}" }\n\n# what is usual\nexpects:\n  records: 1\n  blank: {}\n  invalid: 0\n  skipped: 0\n  metrics: {}\n  languages: {}\n\n# and tests\ntests: []\n';
    const written = writeExpectations(text, 'm.yaml', EXPECTS);
    expect(written).toContain('# what is usual\nexpects:\n  records: 12\n');
    expect(written).toContain('# and tests\ntests: []\n');
  });

  it('are written into a mapping in JSON as JSON', () => {
    const text = '{"document": {"text": "{t}"}}';
    const written = writeExpectations(text, 'm.json', EXPECTS);
    expect(JSON.parse(written)).toEqual({ document: { text: '{t}' }, expects: EXPECTS });
  });

  it('are not written into a file with mistakes', () => {
    expect(() => writeExpectations('documents: {}\n', 'm.yaml', EXPECTS)).toThrow(MappingError);
    expect(() => writeExpectations('documents: {}\n', 'm.yaml', EXPECTS)).toThrow(
      'documents is an unknown key',
    );
  });
});
