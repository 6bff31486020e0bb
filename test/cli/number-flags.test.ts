import { describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { docferry } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';

const VALIDATE = ['validate', 'r.csv', '-m', 'm.yaml'];
const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring'];

/** What stderr says of a command line in an empty folder. */
async function said(...args: readonly string[]): Promise<string> {
  return (await docferry(args, { cwd: newFolder() })).stderr;
}

describe('a flag that takes a number', () => {
  eachSample()<[string[], string]>([
    [
      [...VALIDATE, '--threads', 'two'],
      '--threads is "two"; expected a whole number from 0 to 256.',
    ],
    [
      [...IMPORT, '1', '--rate', 'fast'],
      '--rate is "fast"; expected a number from 0.001 to 1000000.',
    ],
  ])('%j is told by name, with the value and what is expected', async (args, message) => {
    expect(await said(...args)).toBe(`docferry: ${message}\n`);
  });

  longTest('may be 0, and a value like a flag is one', async () => {
    const fine = /there is no mapping file m\.yaml/;
    expect(await said(...VALIDATE, '--threads=0')).not.toContain('expected');
    expect(await said(...VALIDATE, '--as-of', 'threads')).not.toContain('expected');
    expect(await said(...VALIDATE, '--threads', '0')).toMatch(fine);
  });

  it('is refused out of its range, by its flag', async () => {
    expect(await said(...VALIDATE, '--batch-size', '0')).toBe(
      'docferry: --batch-size is 0; expected a whole number from 1 to 1000000.\n',
    );
    expect(await said(...IMPORT, '1', '--settle-time', '100000')).toBe(
      'docferry: --settle-time is 100000; expected a number from 0 to 86400.\n',
    );
  });
});
