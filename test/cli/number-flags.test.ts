import { expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { docferryEach } from '../helpers/run-cli.js';

const VALIDATE = ['validate', 'r.csv', '-m', 'm.yaml'];
const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];

it('a number is refused with its flag, its value and what is expected', async () => {
  const refused: readonly (readonly [string[], string])[] = [
    [[...VALIDATE, '--threads', 'two'], '"two"; expected a whole number from 0 to 256.'],
    [[...IMPORT, '--rate', 'fast'], '"fast"; expected a number from 0.001 to 1000000.'],
    [[...VALIDATE, '--batch-size', '0'], '0; expected a whole number from 1 to 1000000.'],
    [
      [...IMPORT, '--settle-time', '100000'],
      '100000; expected a number from 0 to 86400, in seconds.',
    ],
  ];
  const ended = await docferryEach(
    refused.map(([args]) => args),
    { cwd: newFolder() },
  );
  expect(ended.map(({ stderr }) => stderr)).toEqual(
    refused.map(([args, message]) => `docferry: ${args.at(-2)} is ${message}\n`),
  );
});

it('a number may be 0, and a value like a flag is a value', async () => {
  const flags = [['--threads=0'], ['--as-of', 'threads'], ['--threads', '0']];
  const lines = flags.map((flag) => [...VALIDATE, ...flag]);
  const said = (await docferryEach(lines, { cwd: newFolder() })).map(({ stderr }) => stderr);
  for (const one of said) expect(one).not.toContain('expected');
  expect(said[2]).toMatch(/There is no mapping file m\.yaml/);
});
