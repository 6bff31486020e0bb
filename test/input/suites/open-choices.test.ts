import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../helpers/markdown.js';
import { DETECTED, RULES } from './csv-files.js';
import { DOCUMENT_FILES, LINES_FILES } from './json-files.js';
import {
  BAD_OVER_LINES,
  BAD_VALUES,
  GOOD_OVER_LINES,
  GOOD_VALUES,
  OWN_VALUES,
} from './json-values.js';

const SUITES = [
  ...[GOOD_VALUES, GOOD_OVER_LINES, BAD_VALUES, BAD_OVER_LINES, OWN_VALUES],
  ...[LINES_FILES, DOCUMENT_FILES, RULES, DETECTED],
];
const names = SUITES.flatMap((cases) => cases.map(([name]) => name));

it('the cases of the suites have names of their own', () => {
  expect(names.length).toBeGreaterThan(400);
  for (const name of names) expect(name).toMatch(/^[yni]_/);
  for (const cases of SUITES) expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
});

it('what the suites leave open is told in docs/inputs.md, and no others', () => {
  const page = readFileSync(path.join(ROOT, 'docs/inputs.md'), 'utf8');
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
