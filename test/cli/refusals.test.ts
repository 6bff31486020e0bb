import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryOnce } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

longTest('the embedded sandbox is known to be atomic, so no refusal is checked', async () => {
  const cwd = newFolder();
  // The sandbox refuses one of ten, though the schema lets it pass.
  const rows = Array.from({ length: 10 }, (_, id) => `r${id},Good,${id === 4 ? 'X' : 'B'}`);
  put(cwd, 'r.csv', `${['id,text,sentiment', ...rows].join('\n')}\n`);
  put(cwd, 'm.yaml', minimalYaml('sentiment: "{sentiment}"'));
  put(cwd, 'any.json', '{}');
  const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--schema', 'any.json'];
  const { code, stdout } = await docferryOnce([...args, '--sandbox', '--json'], { cwd });
  expect(code).toBe(1);
  const { counts, notices } = JSON.parse(stdout);
  expect(counts).toMatchObject({ accepted: 9, rejected: 1 });
  expect(notices.join()).not.toContain('refus');
});
