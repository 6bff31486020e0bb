/** Names of others in what docferry prints and writes: no formulas, and no lines of their own. */

import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { json, startServer } from '../helpers/http-server.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
});

describe('a name with a line end', () => {
  const EVIL = 'x\n::error::forged';
  const FORGED = /^\s*::error/m;

  it('of a job is refused', async () => {
    const job = { input: 'r.csv', mapping: 'm.yaml', monitoring: 1 };
    put(cwd, 'docferry.yaml', JSON.stringify({ jobs: { [EVIL]: job, b: job } }));
    const lines = [
      ['jobs', 'check'],
      ['jobs', 'list'],
      ['import', '--job', EVIL, '--sandbox'],
    ];
    for (const { code, stdout, stderr } of await docferryEach(lines, { cwd })) {
      expect(code).toBe(2);
      expect(stdout + stderr).toContain('the job "x\\n::error::forged" has a line end');
      expect(stdout + stderr).not.toMatch(FORGED);
    }
  });

  longTest('begins no line of what is printed, whosever name it is', async () => {
    put(cwd, 'm.yaml', minimalYaml());
    put(cwd, 'm2.yaml', minimalYaml(`${JSON.stringify(EVIL)}: "{text}"`));
    put(cwd, 'm3.yaml', minimalYaml(`url: ${JSON.stringify(`{${EVIL}}`)}`));
    put(cwd, 'r.csv', 'id,text\n1,Good\n2,\n');
    put(cwd, `a${EVIL.slice(1).replaceAll('/', '')}.csv`, `id,text,"${EVIL}"\n1,Good,2\n2,,3\n`);
    put(cwd, 'v.jsonl', `${JSON.stringify({ id: EVIL, text: '', [EVIL]: EVIL })}\n`);
    const server = await startServer(({ method }, response) => {
      const shown = { id: 1, title: EVIL, name: EVIL, status: 'active', searches: [] };
      if (method === 'POST') json(response, 400, { errors: [{ message: EVIL }] });
      else json(response, 200, { ...shown, monitorings: [shown] });
    });
    const lines = [
      ['validate', 'a*.csv', '-m', 'm.yaml'],
      ['validate', `a${EVIL.slice(1)}.csv`, '-m', 'm2.yaml'],
      ['validate', 'r.csv', '-m', 'm3.yaml'],
      ['validate', EVIL, '-m', 'm.yaml'],
      ['validate', 'r.csv', '-m', EVIL],
      ['validate', 'r.csv', '-m', 'm.yaml', '--rejects', `none/${EVIL}`],
      ['preview', 'v.jsonl', '-m', 'm.yaml'],
      ['guess', 'a*.csv'],
      ['mapping', 'check', 'm2.yaml'],
      ['monitorings', 'list'],
      ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'],
      ['import', 'a*.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox'],
      ['runs', 'list'],
    ];
    const ended = await docferryEach(lines, { cwd });
    for (const [at, { code, stdout, stderr }] of ended.entries()) {
      expect([lines[at], stdout + stderr]).toEqual([lines[at], expect.not.stringMatching(FORGED)]);
      expect([lines[at], code]).not.toEqual([lines[at], 70]);
    }
    const [listed, imported] = await docferryEach(lines.slice(9, 11), {
      cwd,
      env: environmentOf(server),
    });
    expect(`${listed?.stdout}${imported?.stdout}${imported?.stderr}`).not.toMatch(FORGED);
    expect(ended[0]?.stdout).toContain('a\\u000a::error::forged.csv');
  });
});
