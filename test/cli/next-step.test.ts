import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferry, docferryEach, type Ended, environmentOf, PROGRAM } from '../helpers/run-cli.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

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

/** A command that a run ends with, by default the last, and how it ends if it is typed in a shell. */
function followed({ stderr }: Ended, at = -1): { readonly command: string; readonly next: Ended } {
  const [, command = ''] = [...stderr.matchAll(/: (docferry .*)$/gm)].at(at) ?? [];
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

describe('the next command, run as printed', () => {
  it('after a validation with problems shows the invalid records, and imports the others', async () => {
    const ended = await docferry(['validate', 'bad.csv', ...MAPPED], { cwd });
    const { command, next } = followed(ended, 0);
    expect(command).toBe("docferry preview bad.csv -m 'my mapping.yaml' --delimiter ';' --invalid");
    expect(next.code).toBe(1);
    expect(next.stdout).toMatch(/record 2, line 3[\s\S]*expected a number/);
    expect(next.stdout).not.toContain('record 1');

    expect(ended.stderr).toContain('To import the 2 valid documents');
    const { next: imported } = followed(ended);
    expect(imported.code).toBe(1);
    expect(imported.stdout).toContain('2 of 3 reviews imported into monitoring 1 of the sandbox');
  });

  it('after a validation without problems rehearses the import, then shows the documents', async () => {
    const { next } = followed(await docferry(['validate', 'good.csv', ...MAPPED], { cwd }));
    expect(next.code).toBe(0);
    expect(next.stdout).toContain(
      'Finished: all 2 reviews imported into monitoring 1 of the sandbox.',
    );
  });

  it('after a validation whose sourceIds repeat writes rejects', async () => {
    const { next } = followed(await docferry(['validate', 'twice.csv', ...MAPPED], { cwd }), 0);
    expect(next.stdout).toMatch(/1 record in invalid-[\w-]+\.csv/);
  });

  it('after an import with rejects imports them again', async () => {
    const into = ['--monitoring', '1', '--sandbox', '--rejects', 'rejects.csv'];
    const { command, next } = followed(
      await docferry(['import', 'bad.csv', ...MAPPED, ...into], { cwd }),
    );
    expect(command).toBe(
      "docferry import rejects.csv -m 'my mapping.yaml' --delimiter ';' --monitoring 1 --sandbox",
    );
    expect(next.stdout).toContain(
      'Finished: 0 of 1 review imported into monitoring 1 of the sandbox; 1 needs a look.',
    );
    const rejects = readFileSync(path.join(cwd, 'rejects.csv'), 'utf8');
    put(cwd, 'rejects.csv', rejects.replace('n/a', '3'));
    const fixed = await docferry(
      command.replaceAll("'", '').split(' ').slice(1, 3).concat(MAPPED, into.slice(0, 3)),
      { cwd },
    );
    expect(fixed.stdout).toContain('Finished: 1 review imported into monitoring 1 of the sandbox.');
  });

  it('after an import of what is there already lists the earlier imports', async () => {
    const env = environmentOf(await startWithMonitoring());
    const again = ['import', 'good.csv', ...MAPPED, '--monitoring', '1', '--state-dir', 'state'];
    const [first, second] = await docferryEach([again, again], { cwd, env });
    expect(first?.stderr).toMatch(/: docferry verify [\w-]+ --state-dir state\n$/);
    const { command, next } = followed(second as Ended);
    expect(command).toBe('docferry runs list --state-dir state');
    expect(next.stdout).toMatch(/good\.csv[\s\S]*good\.csv/);
  });

  it('after an import that skipped everything shows the records', async () => {
    const env = environmentOf(await startWithMonitoring());
    put(
      cwd,
      'none.yaml',
      'document: { sourceId: "{id}", text: "{text}" }\nskip: [{ from: text, matches: . }]\n',
    );
    const args = ['import', 'good.csv', '-m', 'none.yaml', '--delimiter', ';', '--monitoring', '1'];
    const { next } = followed(await docferry(args, { cwd, env }));
    expect(next.stdout).toContain('skipped by the mapping');
  });

  it('is not printed with --json or --quiet', async () => {
    const lines = ['--json', '--quiet'].map((flag) => ['validate', 'bad.csv', ...MAPPED, flag]);
    const all = await docferryEach(lines, { cwd });
    expect(all.map(({ stderr }) => stderr)).toEqual(['', '']);
  });
});
