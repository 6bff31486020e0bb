import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferryEach, docferryOnce } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = `# A comment
profile: minimal
document:
  sourceId: "{id}"
  text: "{text}" # another
  metrics: { score: { from: score, number: "." } }
`;

function csv(records: number, most: number): string {
  const rows = Array.from(
    { length: records },
    (_, index) => `${index},Text ${index},${1 + (index % most)}`,
  );
  return `id,text,score\n${rows.join('\n')}\n`;
}

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'good.csv', csv(300, 5));
  put(cwd, 'other.csv', csv(300, 10));
});

const run = (...args: string[]) => docferryOnce(args, { cwd });
const runEach = (...lines: readonly (readonly string[])[]) => docferryEach(lines, { cwd });
const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8');

describe('docferry mapping check', () => {
  it('lists mistakes and TODOs, of files that are fine nothing', async () => {
    const text = 'document:\n  txt: a\n  # TODO: ask\n  url: b\n';
    put(cwd, 'wrong.yaml', text);
    const told = 'document.txt is an unknown key; did you mean "text"?';
    const [texts, asJson] = await runEach(
      ['mapping', 'check', 'wrong.yaml', 'm.yaml'],
      ['mapping', 'check', 'wrong.yaml', '--json'],
    );
    expect(texts).toEqual({
      code: 2,
      stdout: `wrong.yaml:2:3: ${told}\nwrong.yaml:3:3: TODO: ask\nm.yaml: no mistakes\n`,
      stderr: '',
    });
    const [{ file, mistakes }] = JSON.parse(asJson?.stdout ?? '');
    expect(file).toBe('wrong.yaml');
    expect(mistakes[0]).toEqual({
      message: told,
      severity: 'error',
      line: 2,
      column: 3,
      offset: text.indexOf('txt'),
      end: text.indexOf('txt') + 3,
      path: ['document', 'txt'],
    });
  });
});

describe('docferry mapping learn', () => {
  it('writes into the mapping what the file looks like, after which another is refused', async () => {
    const [learned, refused, accepted] = await runEach(
      ['mapping', 'learn', 'good.csv', '-m', 'm.yaml'],
      ['validate', 'other.csv', '-m', 'm.yaml'],
      ['validate', 'other.csv', '-m', 'm.yaml', '--accept-drift'],
    );
    expect(learned).toMatchObject({ code: 0, stderr: '' });
    expect(learned?.stdout).toContain('the first 300 records of good.csv');
    expect(read('m.yaml').startsWith(MAPPING)).toBe(true);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused?.stderr).toContain('other.csv has drifted');
    expect(refused?.stderr).toContain('score is between 1 and 10, expected 1 to 5');
    expect(accepted?.code).toBe(0);
    expect(accepted?.stdout).toContain('score is between 1 and 10');
  });

  it('leaves aliases elsewhere in the mapping as they are', async () => {
    const skip = 'skip: [&s { from: score, in: ["4"] }, *s]\n';
    put(cwd, 'm.yaml', MAPPING + skip);
    expect(await run('mapping', 'learn', 'good.csv', '-m', 'm.yaml')).toMatchObject({ code: 0 });
    expect(read('m.yaml')).toContain('\nexpects:\n');
    expect(read('m.yaml').startsWith(MAPPING + skip)).toBe(true);
  });

  longTest('overwrites no other file unless told to, and none that it reads', async () => {
    const learn = (...to: string[]) => ['mapping', 'learn', 'good.csv', '-m', 'm.yaml', ...to];
    const before = read('good.csv');
    put(cwd, 'other.yaml', 'mine');
    const [taken, input] = await runEach(
      learn('-o', 'other.yaml'),
      learn('-o', './good.csv', '--overwrite'),
    );
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken?.stderr).toMatch(/other\.yaml already exists: .*-o.*--overwrite/);
    expect(read('other.yaml')).toBe('mine');
    expect(input?.stderr).toContain('is the input good.csv');
    expect(read('good.csv')).toBe(before);
    const told = await runEach(learn('-o', './m.yaml'), learn('-o', 'other.yaml', '--overwrite'));
    expect(told).toMatchObject([{ code: 0 }, { code: 0 }]);
  });
});

describe('docferry mapping list and show', () => {
  it('lists every ready-made mapping by kind', async () => {
    const all = await run('mapping', 'list');
    expect(all).toMatchObject({ code: 0 });
    const kinds = all.stdout.match(/^[a-z]+(?= )/gm);
    expect(kinds).toEqual(['kind', 'travel', 'places', 'apps', 'shops', 'surveys']);
    expect(all.stdout).toMatch(/ inside-airbnb +csv +Airbnb reviews of a city, by Inside Airbnb\n/);
  });

  longTest('prints one as it is, which works at once', async () => {
    const shown = await run('mapping', 'show', 'inside-airbnb');
    const shipped = readFileSync(path.join(ROOT, 'mappings/inside-airbnb.yaml'), 'utf8');
    expect(shipped.endsWith(shown.stdout)).toBe(true);
    // No path that leads somewhere only from the folder that it is shipped in.
    expect(shown.stdout).not.toMatch(/yaml-language-server|\.\.\//);
    expect(shown.stdout).toMatch(/^# \S/);
    put(cwd, 'mine.yaml', shown.stdout);
    const sample = path.join(ROOT, 'samples/inside-airbnb.csv');
    expect(await run('validate', sample, '-m', 'mine.yaml')).toMatchObject({ code: 0 });
  });
});

describe('docferry preview', () => {
  it('shows one record with what made its fields', async () => {
    const { code, stdout } = await run('preview', 'good.csv', '-m', 'm.yaml', '--record', '7');
    expect(code).toBe(0);
    expect(stdout).toContain('── good.csv, record 7, line 8\n');
    expect(stdout).toMatch(
      /metrics\.score +2\n +← \{ from: score, number: "\." \} \(score "2"\)\n/,
    );
    expect(stdout).not.toContain('record 8');
  });
});
