import { utimesSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferry, type Ended } from '../helpers/run-cli.js';

const ROWS = Array.from({ length: 12 }, (_, n) => `r${n};Clean room ${n};${n + 2} days ago\n`);
const INTO = ['--monitoring', '1', '--sandbox'];

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'reviews.csv', `id;text;when\n${ROWS.join('')}`);
  const changed = new Date('2024-06-15T12:00:00Z');
  utimesSync(path.join(cwd, 'reviews.csv'), changed, changed);
});

function write(published: string, top = ''): void {
  put(
    cwd,
    'm.yaml',
    `${top}profile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n  published: ${published}\n`,
  );
}

function run(command: string, ...more: readonly string[]): Promise<Ended> {
  return docferry([command, 'reviews.csv', '-m', 'm.yaml', ...more], { cwd });
}

const IF_STATED = '{ from: when, date: relative, asOf: if-stated }';

describe('relative dates without the day of the export', () => {
  it('let validate and preview ask for it, with the last change of the file as a hint', async () => {
    write(IF_STATED);
    const validated = await run('validate');
    expect(validated.code).toBe(0);
    expect(validated.stderr).toMatch(
      /docferry import reviews\.csv -m m\.yaml --as-of DATE --monitoring 1 --sandbox\nDATE is the day on which the export was made\. reviews\.csv was last changed on 2024-06-15\.\n$/,
    );
    const previewed = await run('preview', '--limit', '1');
    expect(previewed.stderr).toMatch(/--as-of DATE.*\nDATE is .* on 2024-06-15\.\n$/);
  });

  it('let guess ask for it, too', async () => {
    const { stderr } = await docferry(['guess', 'reviews.csv', '-o', 'm.yaml'], { cwd });
    expect(stderr).toMatch(/Next: .* --as-of DATE\nDATE is .* on 2024-06-15\.\n$/);
  });

  it('keep an import from sending anything', async () => {
    write(IF_STATED);
    const refused = await run('import', ...INTO);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^docferry: m\.yaml:5:14: document\.published reads relative dates.* Nothing was sent.*\n.*--as-of DATE.* on 2024-06-15\.\n.*remove the rule\.\n$/,
    );
    const imported = await run('import', ...INTO, '--as-of', '2024-06-15');
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/accepted +12/) });
  });

  it('are no reason to stop if the rule has another value instead', async () => {
    write(IF_STATED.replace(' }', ', else: "2024-05-01T00:00:00Z" }'));
    expect(await run('import', ...INTO)).toMatchObject({ code: 0 });
  });
});

describe('relative dates with a day in the mapping', () => {
  it('are noticed if the file was changed later', async () => {
    write(IF_STATED, 'asOf: 2024-05-31\n');
    const later =
      /reviews\.csv was last changed on 2024-06-15, .* from 2024-05-31, the asOf of m\.yaml\..*--as-of DATE/;
    for (const ended of [await run('validate'), await run('import', ...INTO)]) {
      expect(ended.code).toBe(0);
      expect(ended.stdout).toMatch(later);
    }
  });

  it.each([
    ['the file was changed on the next day', 'asOf: 2024-06-14\n', []],
    ['the command states one', 'asOf: 2024-05-31\n', ['--as-of', '2024-06-01']],
  ])('are not noticed if %s', async (_, top, flags) => {
    write(IF_STATED, top);
    expect((await run('validate', ...flags)).stdout).not.toContain('was last changed');
  });

  it('are not noticed if each record has its own', async () => {
    put(cwd, 'reviews.csv', 'id;text;when;at\n1;Good;2 days ago;2024-06-01\n');
    write('{ from: when, date: relative, asOf: { from: at, date: iso } }', 'asOf: 2024-05-31\n');
    expect((await run('validate')).stdout).not.toContain('was last changed');
  });
});
