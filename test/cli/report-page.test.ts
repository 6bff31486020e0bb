import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/report/html/report-html.js';
import { newFolder, put } from '../helpers/files.js';
import { docferry, docferryEach, docferryOnce, type Ended } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', 'profile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n');
  put(cwd, 'r.csv', 'id,text\n1,Good\n2,\n');
});

const run = (...args: string[]): Promise<Ended> => docferryOnce(args, { cwd });
const read = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');
const validate = (...flags: string[]): Promise<Ended> =>
  run('validate', 'r.csv', '-m', 'm.yaml', ...flags);

describe('--html', () => {
  it('writes a page for its owner, beside the text on stdout and the JSON in a file', async () => {
    const { code, stdout } = await validate('--html', 'r-{run}.html', '--report', 'r.json');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^[✓!] Finished: 1 of 2 reviews valid/),
    });
    const report = JSON.parse(read('r.json'));
    const page = `r-${report.run}.html`;
    expect(read(page)).toBe(await reportHtml(report));
    expect(statSync(path.join(cwd, page)).mode & 0o777).toBe(0o600);
  });

  longTest('shows an import, and what is kept of it', async () => {
    const sandbox = ['--monitoring', '1', '--sandbox', '--html', 'import.html', '--json'];
    const { stdout } = await run('import', 'r.csv', '-m', 'm.yaml', ...sandbox);
    const report = JSON.parse(stdout);
    expect(read('import.html')).toBe(await reportHtml(report));
    const show = ['runs', 'show', report.run, '--html', 'kept.html'];
    expect(await run(...show)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('kept.html')).toBe(read('import.html'));
    for (const file of ['r.csv', 'm.yaml']) {
      expect((await run('runs', 'show', report.run, '--html', file)).code, file).toBe(2);
    }
  });
});

describe('docferry report', () => {
  it('shows a report of another version, with fewer or more parts, and needs all of its own', async () => {
    await validate('--report', 'new.json');
    const NEW = [
      'version',
      'docferry',
      'started',
      'ended',
      'timeZone',
      'mappingFingerprint',
      'skips',
    ];
    const added = new Set([...NEW, 'earlier', 'modified', 'sampled', 'top', 'overTime']);
    const old = JSON.parse(read('new.json'), (key, value) => (added.has(key) ? undefined : value));
    put(cwd, 'old.json', JSON.stringify(old));
    const { skips: _, ...less } = JSON.parse(read('new.json'));
    put(cwd, 'less.json', JSON.stringify(less));
    put(cwd, 'more.json', JSON.stringify({ ...JSON.parse(read('new.json')), sampled: 400 }));
    const lines = [
      ['new.json'],
      ['old.json'],
      ['more.json'],
      ['old.json', '--json'],
      ['old.json', '--markdown'],
      ['old.json', '--html', 'old.html'],
      ['less.json'],
    ].map((words) => ['report', ...words]);
    const [asNew, asOld, withMore, json, markdown, page, lacking] = await docferryEach(lines, {
      cwd,
    });
    expect([asOld, withMore]).toEqual([asNew, asNew]);
    expect(JSON.parse(json?.stdout ?? '')).toEqual(old);
    expect(markdown?.stdout).toMatch(/^## .*1 of 2 reviews/);
    expect(page).toMatchObject({ code: 0 });
    expect(read('old.html')).toContain('1 of 2 reviews');
    expect(lacking).toMatchObject({ code: 2, stderr: expect.stringMatching(/skips/) });
  });

  it('shows a report that was kept as JSON, as text or as a page', async () => {
    const lines = [
      ['validate', 'r.csv', '-m', 'm.yaml', '--report', 'r.json'],
      ['report', 'r.json'],
      ['report', 'r.json', '--html', 'r.json'],
    ];
    const [validated, shown, refused] = await docferryEach(lines, { cwd });
    expect(shown).toEqual({ code: 0, stdout: validated?.stdout, stderr: '' });
    expect(refused?.code).toBe(2);
    const stdin = read('r.json');
    const piped = await docferry(['report', '-', '--html', 'r.html'], { cwd, stdin });
    expect(piped).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(read('r.html')).toBe(await reportHtml(JSON.parse(stdin)));
  });

  eachSample()([
    [
      'no such file',
      undefined,
      /There is no file r\.json\. If that is the name of an import in shards .* --state/,
    ],
    ['another JSON', '{"run": 1}', /r\.json isn't a report as .*: command is missing/],
  ])('says what is wrong with %s', async (_, text, message) => {
    if (text !== undefined) put(cwd, 'r.json', text);
    const { code, stdout, stderr } = await run('report', 'r.json', '--html', 'r.html');
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
