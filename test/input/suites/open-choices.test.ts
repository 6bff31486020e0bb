import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { casesIn } from './cases.js';

const FILES = readdirSync(path.join(import.meta.dirname, 'cases'));
const SUITES = FILES.map((file) => casesIn(path.basename(file, '.jsonl')));
const names = SUITES.flatMap((cases) => cases.map(([name]) => name));

it('the cases of the suites have names of their own', () => {
  expect(names.length).toBeGreaterThan(400);
  for (const name of names) expect(name).toMatch(/^[yni]_/);
  for (const cases of SUITES) expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
});

it('the README names every case that the RFCs leave open, and no others', () => {
  const page = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
  const open = names.filter((name) => name.startsWith('i_'));
  const told = [...page.matchAll(/`(i_[\w*]+)`/g)].map(
    ([, pattern = '']) => new RegExp(`^${pattern.replaceAll('*', '\\w*')}$`),
  );
  for (const name of open)
    expect(
      told.some((pattern) => pattern.test(name)),
      name,
    ).toBe(true);
  for (const pattern of told)
    expect(
      open.some((name) => pattern.test(name)),
      `${pattern}`,
    ).toBe(true);
});
