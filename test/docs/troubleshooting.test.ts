import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { STOP_KINDS } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';

const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const ofPostgres = readFileSync(path.join(ROOT, 'docs/postgres.md'), 'utf8')
  .split('\n## When something is wrong\n')
  .at(1);
const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(ROOT, 'src', name), 'utf8'))
  .join('\n');

/** The part of the page under a heading. */
function section(heading: string): string {
  const [, part = ''] = page.split(`\n## ${heading}\n`);
  return part.split('\n## ')[0] ?? '';
}

/** The rows of the tables in a text, as cells. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => /^\| (?:`|\d)/.test(line))
    .map((line) => line.replaceAll(/^\| | \|$/g, '').split(' | '));
}

/** What stands in the first cell of each row of a section. */
function entriesOf(heading: string): readonly string[] {
  return rowsOf(section(heading)).map(([first = '']) => first.replaceAll('`', ''));
}

const messageSections = [
  "When docferry doesn't start",
  'Before anything is sent (exit code 2)',
  'While an import runs',
  'In the report',
];
const rows = rowsOf(messageSections.map(section).join('\n'));
const rowsOfPostgres = rowsOf(ofPostgres ?? '');
const messages = [...rows, ...rowsOfPostgres].flatMap(([cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
);

describe('docs/troubleshooting.md', () => {
  it('has a cause and a remedy for every message', () => {
    for (const heading of messageSections) {
      expect(rowsOf(section(heading)).length, heading).toBeGreaterThan(3);
    }
    expect(rowsOfPostgres.length).toBeGreaterThan(10);
    for (const row of rows) expect(row, row[0]).toHaveLength(3);
  });

  it.each(messages)('quotes a message that docferry still has: %s', (words) => {
    expect(sources).toContain(words);
  });

  it('has an entry for every exit code that docferry ends with', () => {
    const inClasses = [...sources.matchAll(/\bexitCode(?:: number)? ?[=:] ?(\d+)\b/g)];
    const inReports = /\bfunction exitCodeOf\b.*?\n}\n/s.exec(sources)?.[0] ?? '';
    const returned = [...inReports.matchAll(/(?:return|\?|:) (\d+)\b/g)];
    const returnedByMain = [...sources.matchAll(/^ {2}return (\d\d+);$/gm)];
    const codes = [...inClasses, ...returned, ...returnedByMain].map(([, code]) => Number(code));
    // Each of these ways of saying so is found, and no other number.
    expect(new Set(codes)).toEqual(new Set([0, 1, 2, 3, 4, 5, 70, 130]));
    expect(entriesOf('By exit code').map(Number)).toEqual([0, 1, 2, 3, 4, 5, 70, 130]);
  });

  it('has an entry for every kind of stop', () => {
    expect(entriesOf('By kind of stop').toSorted()).toEqual([...STOP_KINDS].toSorted());
  });

  it('has an entry for every class of error that is thrown', () => {
    const concrete = [...sources.matchAll(/^(?:export )?class (\w+Error) extends (\w+)/gm)];
    const ours = concrete.filter(([, , parent = '']) =>
      /^(?:DocferryError|RefusedAccess|AccessError)$/.test(parent),
    );
    expect(entriesOf('By class of error').toSorted()).toEqual(
      ours.map(([, name = '']) => name).toSorted(),
    );
  });

  it('gives the classes the exit codes that they have', () => {
    for (const [name = '', code] of rowsOf(section('By class of error'))) {
      const [, body = ''] =
        new RegExp(`class ${name.replaceAll('`', '')} extends \\w+[^{]*\\{(.*?)\\n}`, 's').exec(
          sources,
        ) ?? [];
      const [, own] = /exitCode = (\d+);/.exec(body) ?? [];
      if (own !== undefined) expect(code, name).toBe(own);
    }
  });
});
