import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { STEPS } from '../../../src/mapping/compile/compile-rule.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const steps = Object.keys(STEPS);

describe('the order of the steps', () => {
  it('is that of the table in docs/mapping.md', () => {
    const page = readFileSync(path.join(ROOT, 'docs/mapping.md'), 'utf8');
    const section = page.slice(page.indexOf('\n## Steps\n'), page.indexOf('\n### Titles\n'));
    const rows = [...section.matchAll(/^\| `(\w+):/gmu)].map(([, name]) => name);
    expect(rows).toEqual([...steps, 'else']);
  });
});
