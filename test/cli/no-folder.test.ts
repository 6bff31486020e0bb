/** Folders that can't be made although the one above is there and may be written to. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';
import { docferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

longTest.skipIf(!existsSync('/proc/self'))(
  'ends with an error where no folder can be made',
  async () => {
    const cwd = newFolder();
    put(cwd, 'r.jsonl', '{"id":"1","text":"Good","at":"2024-05-31T10:00:00Z"}\n');
    put(cwd, 'm.json', JSON.stringify(MAPPING));
    const args = ['import', 'r.jsonl', '-m', 'm.json', '--monitoring', '1', '--sandbox'];
    for (const option of [
      ['--state-dir', '/proc/none'],
      ['--report', '/proc/none/r.json'],
    ]) {
      const under = ['timeout', '--signal=KILL', '60'];
      const { code, stdout, stderr } = await docferry([...args, ...option], { cwd, under });
      expect(code, stderr).toBeLessThan(5);
      expect(code, stderr).toBeGreaterThan(0);
      expect(stdout + stderr).toContain('/proc/none');
    }
  },
);
