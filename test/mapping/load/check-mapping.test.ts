import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMapping, parseMapping } from '../../../src/mapping/load/load-mapping.js';
import { MappingError } from '../../../src/model/errors.js';
import { ROOT } from '../../helpers/markdown.js';
import { runs } from '../../helpers/runs.js';

/** Each mistake as what it is told of, its severity and its path. */
function found(text: string, columns?: readonly string[]): readonly unknown[] {
  return checkMapping(text, { columns: columns ?? null }).map(
    ({ offset, end, severity, path: at }) => [text.slice(offset, end), severity, at.join('.')],
  );
}

describe('a mapping that is checked', () => {
  it('has each mistake of its shape and its rules where it stands', () => {
    const text = [
      'zone: Mars',
      'document:',
      '  text: { from: a, mtach: x }',
      '  published: { from: b, date: YYYY }',
      '  author: { usrname: "{c" }',
      'skip:',
      '  - { from: a, matches: "*" }',
      '  -',
    ].join('\n');
    expect(found(text)).toEqual([
      ['Mars', 'error', 'zone'],
      ['mtach', 'error', 'document.text.mtach'],
      ['YYYY', 'error', 'document.published.date'],
      ['usrname', 'error', 'document.author.usrname'],
      ['"{c"', 'error', 'document.author.usrname'],
      ['"*"', 'error', 'skip.0.matches'],
      ['', 'error', 'skip.1'],
    ]);
  });

  it('has a mistake that an alias repeats at the alias', () => {
    const text = 'document:\n  text: &day { from: a, date: YYYY }\n  url: *day\n';
    expect(found(text)).toEqual([
      ['YYYY', 'error', 'document.text.date'],
      ['*day', 'error', 'document.url.date'],
    ]);
  });

  it('that is no YAML has the place of what can not be read', () => {
    expect(found('document:\n  text: a\n  url: b\n  text: c\n  url: d\n')).toEqual([
      ['text', 'error', ''],
      ['url', 'error', ''],
    ]);
    expect(found('document: {text: *x}')).toEqual([['*x', 'error', '']]);
    expect(found('# nothing\n')).toEqual([['# nothing\n', 'error', '']]);
  });

  it('has each place that names a column which the source lacks or has twice', () => {
    const text = [
      'document:',
      '  text: { join: ["{Titel}", { from: [Text, Txt] }] }',
      '  url: "https://x.org/{Titel}"',
      'skip:',
      '  - { from: Stars, blank: true }',
    ].join('\n');
    expect(found(text)).toEqual([]);
    expect(found(text, ['Title', 'Text', 'Stars', 'Stars'])).toEqual([
      ['"{Titel}"', 'error', 'document.text.join.0'],
      ['Txt', 'error', 'document.text.join.1.from.1'],
      ['"https://x.org/{Titel}"', 'error', 'document.url'],
      ['Stars', 'error', 'skip.0.from'],
    ]);
    const [first] = checkMapping(text, { columns: ['Title', 'Text', 'Txt', 'Stars'] });
    expect(first?.message).toBe(
      'document.text, document.url: there is no column "Titel"; did you mean "Title"?',
    );
  });

  it('suggests a new column for one that is gone, before a similar one that the mapping uses', () => {
    const text =
      'document:\n  text: { join: ["{What did you like?}", "{What did you dislike?}"] }\n';
    const columns = ['What did you dislike?', 'What did guests like?'];
    expect(checkMapping(text, { columns }).map(({ message }) => message)).toEqual([
      'document.text: there is no column "What did you like?"; did you mean "What did guests like?"?',
    ]);
  });

  it('has a warning for each TODO, with what it stands at', () => {
    const text = [
      '# TODO: say',
      '# what this is',
      'document:',
      '  text: "{a}" # TODO check',
      '  # TODO: the day',
      '  published: { from: b, date: d/M/yyyy }',
    ].join('\r\n');
    expect(found(text)).toEqual([
      ['# TODO: say\r\n# what this is', 'warning', 'document'],
      ['# TODO check', 'warning', 'document.text'],
      ['# TODO: the day', 'warning', 'document.published'],
    ]);
  });

  it('has a warning for relative dates that count back from nothing', () => {
    const text = 'document: { published: { from: a, date: relative } }';
    expect(found(text)).toEqual([['{ from: a, date: relative }', 'warning', 'document.published']]);
    expect(checkMapping(text, { asOf: '2024-06-03' })).toEqual([]);
    expect(checkMapping(`asOf: 2024-06-03\n${text}`)).toEqual([]);
  });
});

const MAPPINGS = readdirSync(path.join(ROOT, 'mappings')).map((name) =>
  readFileSync(path.join(ROOT, 'mappings', name), 'utf8'),
);

describe('the mappings that come with docferry', () => {
  it('have no errors', () => {
    const errors = MAPPINGS.flatMap((text) => checkMapping(text)).filter(
      ({ severity }) => severity === 'error',
    );
    expect(errors).toEqual([]);
  });

  it('cut or changed anywhere never make it throw, and say what the message says', () => {
    const change = fc.record({
      text: fc.constantFrom(...MAPPINGS),
      at: fc.nat(8000),
      length: fc.nat(30),
      by: fc.constantFrom('', 'x', '{', '}', '"', '\n', ': ', '\t', '*a', '[', '# TODO '),
    });
    fc.assert(
      fc.property(change, ({ text, at, length, by }) => {
        const from = at % text.length;
        const changed = text.slice(0, from) + by + text.slice(from + length);
        const mistakes = checkMapping(changed);
        for (const { offset, end, line, column } of mistakes) {
          const before = changed.slice(0, offset).split('\n');
          expect([line, column]).toEqual([before.length, (before.at(-1) ?? '').length + 1]);
          expect(end).toBeGreaterThanOrEqual(offset);
          expect(end).toBeLessThanOrEqual(changed.length);
        }
        const errors = mistakes.filter(({ severity }) => severity === 'error');
        expect(errors).toEqual(mistakesThrown(changed));
      }),
      { numRuns: runs(300) },
    );
  });
});

/** What loading a mapping is refused for, after having made sure that its message says the same. */
function mistakesThrown(text: string): readonly unknown[] {
  try {
    parseMapping(text, 'm.yaml');
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(MappingError);
    const { message, mistakes } = error as MappingError;
    const lines = mistakes.map((one) => `m.yaml:${one.line}:${one.column}: ${one.message}`);
    // The others show the text.
    expect(message.split('\n').filter((line) => line.startsWith('m.yaml:'))).toEqual(lines);
    return mistakes;
  }
}
