import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/read-command-line.js';

const VALIDATE = ['validate', 'r.csv', '-m', 'm.yaml'];
const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring'];

/** What is said of a command line; nothing of it is done. */
async function said(...args: readonly string[]): Promise<string> {
  return await readCommandLine(args).then(
    () => 'fine',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe('a flag that takes a number', () => {
  it.each([
    [[...VALIDATE, '--threads', 'two'], '--threads is "two"; expected a whole number.'],
    [[...VALIDATE, '--threads=two'], '--threads is "two"; expected a whole number.'],
    [[...VALIDATE, '--threads', ''], '--threads is ""; expected a whole number.'],
    [[...VALIDATE, '--threads='], '--threads is ""; expected a whole number.'],
    [[...VALIDATE, '--batch-size', '1GB'], '--batch-size is "1GB"; expected a whole number.'],
    [[...VALIDATE, '--skip-lines', 'x'], '--skip-lines is "x"; expected a whole number.'],
    [[...VALIDATE, '--max-expansion', 'x'], '--max-expansion is "x"; expected a number.'],
    [[...IMPORT, 'first'], '--monitoring is "first"; expected a whole number.'],
    [[...IMPORT, '1', '--rate', 'fast'], '--rate is "fast"; expected a number.'],
    [[...IMPORT, '1', '--timeout', '5s'], '--timeout is "5s"; expected a number.'],
    [['preview', 'r.csv', '-m', 'm.yaml', '-n', 'five'], '-n is "five"; expected a whole number.'],
    [['sandbox', '--port', 'any'], '--port is "any"; expected a whole number.'],
  ])('%j is told by name, with the value and what is expected', async (args, message) => {
    expect(await said(...args)).toBe(`OptionError: ${message}`);
  });

  it('may be 0, and a value like a flag is one', async () => {
    expect(await said(...VALIDATE, '--threads', '0', '--skip-lines=0')).toBe('fine');
    expect(await said(...VALIDATE, '--comment', 'threads', '--delimiter', 'tab')).toBe('fine');
  });
});
