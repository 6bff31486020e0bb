import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OptionEntry, OptionTable } from '../../src/model/options.js';
import { MAPPING_OPTIONS, VALIDATE_OPTIONS } from '../../src/operations/option-table.js';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach, docferryOnce, type Ended, PROGRAM } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

let cwd = '';

beforeEach(() => {
  cwd = newFolder();
  const rules = 'sourceId: "{id}", text: "{text}", metrics: { score: { from: stars } }';
  put(cwd, 'my mapping.yaml', `name: Reviews\nprofile: minimal\ndocument: { ${rules} }\n`);
  put(cwd, 'good.csv', 'id;text;stars\n1;Good;5\n2;Fine, thanks;4\n');
  put(cwd, 'bad.csv', 'id;text;stars\n1;Good;5\n2;Fine, thanks;n/a\n3;Bad;1\n');
  put(cwd, 'twice.csv', 'id;text;stars\n1;Good;5\n1;Fine;4\n');
});

const MAPPED = ['-m', 'my mapping.yaml', '--delimiter', ';'];

/** A command that a run ends with, by default the last. */
function printedIn(ended: Ended | undefined, at = -1): string {
  const { stderr = '' } = ended ?? {};
  return [...stderr.matchAll(/: (docferry .*)$/gm)].at(at)?.[1] ?? '';
}

/** The same, and how it ends if it is typed in a shell. */
function followed(ended: Ended, at = -1): { readonly command: string; readonly next: Ended } {
  const command = printedIn(ended, at);
  const PATH = `${path.dirname(PROGRAM)}${path.delimiter}${process.env['PATH']}`;
  const {
    status,
    stdout,
    stderr: said,
  } = spawnSync('sh', ['-c', command], {
    ...{ cwd, encoding: 'utf8' as const },
    env: { PATH },
  });
  return { command, next: { code: status, stdout, stderr: said } };
}

/** The ends of such commands, of which a shell would make the same words. */
async function typedEach(...commands: readonly string[]): Promise<readonly Ended[]> {
  const words = (command: string) => command.match(/'[^']*'|\S+/g) ?? [];
  const lines = commands.map((command) =>
    words(command)
      .slice(1)
      .map((word) => word.replaceAll("'", '')),
  );
  return await docferryEach(lines, { cwd });
}

it('the next command carries every option of a validation but those that change no document', () => {
  const options: OptionTable = VALIDATE_OPTIONS;
  const left = Object.keys(options).filter((name) => {
    const { flag, group } = options[name] as OptionEntry;
    return flag !== undefined && group !== 'Output:' && !Object.hasOwn(MAPPING_OPTIONS, name);
  });
  expect(left).toEqual(['threads', 'maxErrors', 'acceptDrift', 'strict']);
});

describe('the next command, run as printed', () => {
  longTest(
    'after a validation with problems shows the invalid records, and imports the others',
    async () => {
      const ended = await docferryOnce(['validate', 'bad.csv', ...MAPPED], { cwd });
      const { command, next } = followed(ended, 0);
      expect(command).toBe(
        "docferry preview bad.csv -m 'my mapping.yaml' --delimiter ';' --invalid",
      );
      expect(next.code).toBe(1);
      expect(next.stdout).toMatch(/record 2, line 3[\s\S]*expected a number/);
      expect(next.stdout).not.toContain('record 1');

      expect(ended.stderr).toContain('To import the 2 valid documents');
      const { next: imported } = followed(ended);
      expect(imported.code).toBe(1);
      expect(imported.stdout).toContain('2 of 3 reviews imported into monitoring 1 of the sandbox');
    },
  );

  it('after a validation without problems rehearses the import, and writes rejects where sourceIds repeat', async () => {
    const quiet = ['--json', '--quiet'].map((flag) => ['validate', 'bad.csv', ...MAPPED, flag]);
    const lines = ['good.csv', 'twice.csv'].map((input) => ['validate', input, ...MAPPED]);
    const valid = ['preview', 'good.csv', ...MAPPED, '--invalid'];
    const all = [...lines, ...quiet, valid];
    const [good, twice, ...others] = await docferryEach(all, { cwd });
    const none = others.pop();
    expect(none).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No record is invalid'),
    });
    const [imported, rejected] = await typedEach(printedIn(good), printedIn(twice, 0));
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('all 2 reviews imported into monitoring 1 of the sandbox.'),
    });
    expect(rejected?.stdout).toMatch(/1 record in invalid-[\w-]+\.csv/);
    expect(others.map(({ stderr }) => stderr)).toEqual(['', '']);
  });
});
