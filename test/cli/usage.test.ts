import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_COMMANDS } from '../helpers/commands.js';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry, docferryEach } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});
const run = (...args: string[]) => docferry(args, { cwd });

describe('docferry without a command', () => {
  it('lists all commands, with those of the groups, and exits with 2; --version is the package’s', async () => {
    const [bare, ...versions] = await docferryEach([[], ['--version'], ['-v']], { cwd });
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const told = { code: 0, stdout: `${version}\n`, stderr: '' };
    expect(versions).toEqual([told, told]);
    expect(bare).toMatchObject({ code: 2, stdout: '' });
    for (const { words, describe: purpose } of ALL_COMMANDS) {
      const [name = '', inGroup] = words;
      if (inGroup === undefined) expect(bare?.stderr.replaceAll(/\s+/g, ' ')).toContain(purpose);
      expect(bare?.stderr).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
      expect(bare?.stderr).toMatch(new RegExp(`\\b${inGroup ?? name}\\b`));
    }
  });
});

const VALIDATE = ['validate', 'r.csv', '-m', 'm.yaml'];
const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];

describe('a slip on the command line is named, with what was probably meant:', () => {
  const SLIPS: readonly (readonly [string, string[], string])[] = [
    ['a command that is like no other', ['zzzzzz'], 'There is no command "zzzzzz".'],
    [
      'a flag that is negated',
      ['import', 'r.csv', '--no-skip-know'],
      'There is no option --no-skip-know; did you mean --no-skip-known?',
    ],
    [
      'a flag before the command',
      ['--sandbx', 'monitorings'],
      'Name a command. Example: docferry guess reviews.csv -o mapping.yaml',
    ],
    [
      'a flag where the command of a group is missing',
      ['runs', '--quiet'],
      'Name one of its commands: list, show,',
    ],
    [
      'a flag for what belongs to the layout',
      ['validate', 'r.csv', '--skip-lines', '2'],
      'There is no option --skip-lines: set skipLines under input in the mapping.',
    ],
    ['a word too many', ['report', 'a.json', 'b.json'], 'Unexpected argument: b.json'],
    ['a file like a flag', ['guess', '--', '-odd.csv'], '-odd.csv does not exist'],
    [
      'a number of threads',
      [...VALIDATE, '--threads', 'two'],
      '--threads is "two"; expected a whole number from 0 to 256.',
    ],
    [
      'a rate',
      [...IMPORT, '--rate', 'fast'],
      '--rate is "fast"; expected a number from 0.001 to 1000000.',
    ],
    [
      'a number of seconds',
      [...IMPORT, '--settle-time', '100000'],
      '--settle-time is 100000; expected a number from 0 to 86400, in seconds.',
    ],
    // A number may be 0, and a value like a flag is a value: only the mapping isn't there.
    ...[['--threads=0'], ['--threads', '0'], ['--as-of', 'threads']].map(
      (flag): [string, string[], string] => [
        flag.join(' '),
        [...VALIDATE, ...flag],
        'There is no mapping file m.yaml',
      ],
    ),
  ];

  it('command, flag, letter, number', async () => {
    const all = await docferryEach(
      SLIPS.map(([, args]) => args),
      { cwd },
    );
    for (const [at, ended] of all.entries()) {
      const [what, , message] = SLIPS[at]!;
      expect(ended, what).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr.split('\n')[0], what).toContain(message);
    }
  });
});

describe('an API key', () => {
  const KEY = 's3cr3t-0123456789';

  it('as an argument is refused with the option that takes a file, and not shown', async () => {
    const forms = [[`--api-key=${KEY}`], ['--apikey', KEY], ['--password', KEY]];
    const lines = forms.map((form) => ['api', '/documents', ...form]);
    for (const { code, stdout, stderr } of await docferryEach(lines, { cwd })) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('--api-key-file');
      expect(stderr).not.toContain(KEY);
    }
  });

  const asked = ['monitorings', 'list', '--base-url', 'http://127.0.0.1:1/5.0', '--username', 'u'];

  longTest('given as the name of a file is not shown, in flag or variable', async () => {
    const flag = await run(...asked, '--api-key-file', KEY);
    expect(flag.code).toBe(2);
    expect(flag.stderr).toMatch(/--api-key-file does not name a readable file .*isn't shown/);
    const env = { DOCFERRY_API_KEY_FILE: KEY };
    const variable = await docferry(asked, { cwd, env });
    expect(variable.code).toBe(2);
    expect(variable.stderr).toMatch(
      /DOCFERRY_API_KEY_FILE does not name a readable file .*isn't shown/,
    );
    const long = await run(...asked, '--api-key-file', `${KEY}${'x'.repeat(5000)}`);
    for (const { stdout, stderr } of [flag, variable, long])
      expect(stdout + stderr).not.toContain(KEY);
  });
});
