import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMapping, completeMapping } from '../../../src/index.js';
import { ROOT } from '../../helpers/markdown.js';
import { sample } from '../../helpers/runs.js';

const COLUMNS = ['Title', 'Guest name', 'Rating: x'];

/** What is offered where the bar stands, as it would be written. */
function offered(marked: string, lists: readonly string[] = []): readonly string[] {
  const offset = marked.indexOf('|');
  const { items } = completeMapping(marked.replace('|', ''), offset, { columns: COLUMNS, lists });
  return items.map(({ insert }) => insert);
}

/** The text with the first of what is offered. */
function completed(marked: string): string {
  const text = marked.replace('|', '');
  const found = completeMapping(text, marked.indexOf('|'), { columns: COLUMNS });
  return text.slice(0, found.from) + (found.items[0]?.insert ?? '') + text.slice(found.to);
}

describe('while a mapping is typed', () => {
  it('its keys are offered, but for those that are there', () => {
    expect(offered('|')).toContain('document: ');
    expect(offered('document:\n  te|')[0]).toBe('text: ');
    expect(offered('document:\n  |\n  text: "{a}"\n')).not.toContain('text: ');
    expect(offered('document:\n  author:\n    user|: x\n')).toEqual(['username']);
    expect(offered('document:\n  text: { fr|')).toEqual(['from: ']);
    expect(offered('skip:\n  - bl|')).toEqual(['blank: ']);
  });

  it('the lists of the file are offered for records', () => {
    expect(offered('input:\n  records: re|', ['products', 'products[].reviews[]'])).toEqual([
      '"products[].reviews[]"',
    ]);
  });

  it.each([
    ['document:\n  text: { from: |', ['Title', 'Guest name', '"Rating: x"']],
    ['document:\n  text: { from: [Title, G|] }', ['Guest name', '"Rating: x"']],
    ['document:\n  text: |', ['"{Title}"', '"{Guest name}"', '"{Rating: x}"']],
    ['document:\n  text: "{Ti|', ['Title}']],
    ['document:\n  text: "{Title}, {gue|}"\n', ['Guest name']],
    ['skip:\n  - { from: tit|, blank: true }\n', ['Title']],
  ])('columns are offered, as YAML writes them there: %j', (marked, columns) => {
    expect(offered(marked).slice(0, columns.length)).toEqual(columns);
  });

  it('values are offered where there are few', () => {
    expect(offered('input: { format: | }')).toContain('jsonl');
    expect(offered('profile: |')).toEqual(expect.arrayContaining(['minimal']));
    expect(offered('zone: Europe/Madr|')).toEqual(['"Europe/Madrid"'.replaceAll('"', '')]);
  });

  it('nothing is offered in comments, and in texts that are free', () => {
    expect(offered('# te|')).toEqual([]);
    expect(offered('name: te|')).toEqual([]);
  });

  it('what stands around the cursor is replaced', () => {
    expect(completed('document:\n  te|xt: "{Title}"\n')).toBe('document:\n  text: "{Title}"\n');
    expect(completed('document:\n  text: "{Ti|tle}"\n')).toBe('document:\n  text: "{Title}"\n');
  });

  it('each key says what it means', () => {
    const { items } = completeMapping('document:\n  ', 12);
    expect(items.filter(({ detail }) => detail === '')).toEqual([]);
  });

  it('a broken text elsewhere does not keep it from offering', () => {
    expect(offered('document:\n  text: "{Title\n  lang|')).toEqual(expect.any(Array));
    expect(offered('input: [\ndocument:\n  te|')).toEqual(expect.any(Array));
  });
});

const FOLDER = path.join(ROOT, 'mappings');
const MAPPINGS = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const KEY = /^(\s*(?:- )?(?:\{ )?)([a-zA-Z]+):/gmu;
/** Keys below these are names of one's own. */
const FREE = /^(?:metrics|annotations|values|record|document|tests|blank|languages)$/u;

describe.each(sample(MAPPINGS))('of %s', (name) => {
  const whole = readFileSync(path.join(FOLDER, name), 'utf8');
  const text = whole.slice(0, whole.search(/^tests:/mu) >>> 0);
  const mistakes = messages(text);
  const keys = [...text.matchAll(KEY)];

  it('each key is offered where it stands, unless it is a name of its own', () => {
    for (const { index, 1: before = '', 2: key = '' } of keys) {
      const at = index + before.length;
      if (FREE.test(keyAbove(text, at))) continue;
      const { from, to, items } = completeMapping(text, at + 1);
      expect(text.slice(from, to), key).toBe(key);
      expect(
        items.map(({ label }) => label),
        `${key} at ${at}`,
      ).toContain(key);
    }
  });

  it('what is offered in place of a key is no unknown key', () => {
    for (const { index, 1: before = '' } of keys) {
      const { from, to, items } = completeMapping(text, index + before.length);
      for (const { insert, label } of items) {
        const changed = text.slice(0, from) + insert + text.slice(to);
        const fresh = messages(changed).filter((message) => !mistakes.includes(message));
        const unknown = new RegExp(`(?:^|\\.)${label} is an unknown key`, 'u');
        expect(fresh.filter((message) => unknown.test(message))).toEqual([]);
      }
    }
  });
});

function messages(text: string): readonly string[] {
  return checkMapping(text).map(({ message }) => message);
}

/** The nearest key above that is indented less. */
function keyAbove(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  const indent = lines.at(-1)?.search(/[^\s-]|$/u) ?? 0;
  const above = lines
    .slice(0, -1)
    .toReversed()
    .find((line) => /^\s*[\w-]/u.test(line) && line.search(/\S/u) < indent);
  return /([\w]+):/u.exec(above ?? '')?.[1] ?? '';
}
