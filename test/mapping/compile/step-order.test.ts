import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { STEPS } from '../../../src/mapping/compile/compile-rule.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const steps = Object.keys(STEPS);

/** The steps in the order in which they run are written for people and for editors, too. */
describe('the order of the steps', () => {
  it('is that of the numbers in the schema', () => {
    const schema = JSON.parse(readFileSync(path.join(ROOT, 'schemas/mapping.schema.json'), 'utf8'));
    const properties = Object.entries<{ description?: string }>(schema.$defs.rule.properties);
    const numbered = properties.flatMap(([name, { description = '' }]) => {
      const number = /^Step (\d+): /u.exec(description)?.[1];
      return number === undefined ? [] : [`${number} ${name}`];
    });
    expect(numbered).toEqual(steps.map((name, at) => `${at + 1} ${name}`));
  });

  it('is that of the table in docs/mapping.md', () => {
    const page = readFileSync(path.join(ROOT, 'docs/mapping.md'), 'utf8');
    const section = page.slice(page.indexOf('\n## Steps\n'), page.indexOf('\n### Titles\n'));
    const rows = [...section.matchAll(/^\| `(\w+):/gmu)].map(([, name]) => name);
    expect(rows).toEqual([...steps, 'else']);
  });
});
