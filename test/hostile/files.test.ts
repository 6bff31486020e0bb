/** Files that docferry writes: what they must not replace, where they lead, and who may read them. */

import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { importDocuments, type Report } from '../../src/index.js';
import { checkStateFolder } from '../../src/runs/folder/run-files.js';
import { save } from '../../src/studio/mapping-file.js';
import { newFolder, put } from '../helpers/files.js';
import { asOrdinaryUser } from '../helpers/ordinary-user.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, docferryOnce } from '../helpers/run-cli.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', minimalYaml());
  put(cwd, 'r.csv', 'id,text\n1,Good\n2,\n');
});

function modeOf(name: string): string {
  return (lstatSync(path.join(cwd, name)).mode & 0o777).toString(8);
}

describe('the key', () => {
  const SERVICE = ['--base-url', 'http://127.0.0.1:9/5.0', '--username', 'ana'];
  const IMPORT = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--overwrite'];
  const KEY = 'K-123456789';

  longTest('is replaced by no output of any command, however its file is named', async () => {
    const key = put(cwd, 'key.txt', KEY);
    symlinkSync(key, path.join(cwd, 'link.txt'));
    linkSync(key, path.join(cwd, 'hard.txt'));
    put(cwd, 'key.prom', '');
    const headers = put(cwd, 'headers.txt', 'Authorization: K-123456789');
    const flagged = [...IMPORT, ...SERVICE, '--api-key-file', 'key.txt'];
    const validate = ['validate', 'r.csv', '-m', 'm.yaml', '--report', 'headers.txt'];
    const lines = [
      ...['./key.txt', key, 'link.txt', 'hard.txt'].map((name) => [...flagged, '--report', name]),
      ...['--html', '--rejects', '--events'].map((flag) => [...flagged, flag, 'key.txt']),
      [...IMPORT, ...SERVICE, '--api-key-file', 'key.prom', '--metrics', 'key.prom'],
      ['guess', 'r.csv', '--input-header-file', headers, '-o', 'headers.txt', '--overwrite'],
      [...validate, '--input-header-file', headers],
    ];
    for (const { code, stderr } of await docferryEach(lines, { cwd })) {
      expect([code, stderr]).toEqual([2, expect.stringMatching(/ is (?:the file of --|a link)/)]);
    }
    const env = { DOCFERRY_API_KEY_FILE: key };
    const others = [
      ['validate', 'r.csv', '-m', 'm.yaml', '--report', 'key.txt'],
      ['guess', 'r.csv', '-o', 'key.txt', '--overwrite'],
      ['mapping', 'learn', 'r.csv', '-m', 'm.yaml', '-o', 'key.txt', '--overwrite'],
      ['studio', 'r.csv', '-m', 'key.txt', '--no-open'],
    ];
    for (const { code, stderr } of await docferryEach(others, { cwd, env })) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('DOCFERRY_API_KEY_FILE')]);
    }
    expect(readFileSync(key, 'utf8')).toBe(KEY);
    expect(readFileSync(headers, 'utf8')).toContain(KEY);
    expect(existsSync(path.join(cwd, '.docferry'))).toBe(false);
  });

  it('of a Singer target, its config and its mappings are replaced by none of its outputs', async () => {
    const config = {
      ...{ monitoring: 1, streams: { reviews: { mapping: 'm.yaml' } }, rejects: 'r-{run}.jsonl' },
      ...{ baseUrl: 'http://127.0.0.1:9/5.0', username: 'ana', apiKeyFile: 'key.txt' },
    };
    put(cwd, 'key.txt', KEY);
    put(cwd, 'good.json', JSON.stringify(config));
    const files = ['key.txt', 'good.json', 'm.yaml'];
    const contents = () => files.map((file) => readFileSync(path.join(cwd, file), 'utf8'));
    const before = contents();
    const lines = files.map((file) => ['target-singer', '-c', 'good.json', '--report', file]);
    for (const { code, stderr } of await docferryEach(lines, { cwd })) {
      expect([code, stderr]).toEqual([2, expect.stringContaining('which it would replace')]);
    }
    expect(contents()).toEqual(before);
  });
});

describe('the job file', () => {
  eachSample()(['rejects', 'report', 'html', 'events'])(
    'is not replaced by its %s',
    async (flag) => {
      const job = { input: 'r.csv', mapping: 'm.yaml', monitoring: 1, overwrite: true };
      const jobs = { night: { ...job, [flag]: './docferry.yaml' } };
      const file = put(cwd, 'docferry.yaml', JSON.stringify({ jobs }));
      const before = readFileSync(file, 'utf8');
      const lines = [
        ['jobs', 'check'],
        ['import', '--job', 'night', '--sandbox'],
        ['validate', 'r.csv', '-m', 'm.yaml', `--${flag}`, 'docferry.yaml', '--overwrite'],
      ];
      const all = await docferryEach(lines, { cwd });
      expect(all.map(({ code }) => code)).toEqual([2, 2, 2]);
      expect(all[0]?.stdout).toContain(`${flag} ./docferry.yaml is the job file`);
      expect(all[1]?.stderr).toContain(`${flag} ./docferry.yaml is`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  it('is refused by its check if a job would replace what it reads', async () => {
    const job = { input: 'r.csv', mapping: 'm.yaml', monitoring: 1 };
    const jobs = { a: { ...job, report: './m.yaml' }, b: { ...job, rejects: 'r.csv' } };
    put(cwd, 'docferry.yaml', JSON.stringify({ jobs }));
    const { code, stdout } = await docferryOnce(['jobs', 'check'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain('report ./m.yaml is the file m.yaml that it reads');
    expect(stdout).toContain('rejects r.csv is the file r.csv that it reads');
  });
});

describe('a link', () => {
  it('is not followed by events, nor is what it leads to created', async () => {
    const victim = put(cwd, 'victim', '');
    symlinkSync(victim, path.join(cwd, 'a.ndjson'));
    symlinkSync(path.join(cwd, 'new'), path.join(cwd, 'b.ndjson'));
    const names = ['a.ndjson', 'b.ndjson'];
    const lines = names.map((name) => ['validate', 'r.csv', '-m', 'm.yaml', '--events', name]);
    for (const [at, { code, stderr }] of (await docferryEach(lines, { cwd })).entries()) {
      expect(code).toBe(2);
      expect(stderr).toContain(`The file of events ${names[at]} is a link`);
    }
    expect(readFileSync(victim, 'utf8')).toBe('');
    expect(existsSync(path.join(cwd, 'new'))).toBe(false);
  });

  longTest('is not followed by a mapping that is guessed, learned or saved', async () => {
    const victim = put(cwd, 'victim', minimalYaml());
    symlinkSync(victim, path.join(cwd, 'link.yaml'));
    symlinkSync(path.join(cwd, 'new'), path.join(cwd, 'dangling.yaml'));
    const lines = [
      ['guess', 'r.csv', '-o', 'link.yaml', '--overwrite'],
      ['guess', 'r.csv', '-o', 'dangling.yaml', '--overwrite'],
      ['mapping', 'learn', 'r.csv', '-m', 'link.yaml'],
      ['studio', 'r.csv', '-m', 'link.yaml', '--no-open'],
    ];
    for (const { code, stderr } of await docferryEach(lines, { cwd })) {
      expect([code, stderr]).toEqual([2, expect.stringMatching(/\.yaml is a link/)]);
    }
    const known = { match: undefined, isNew: true };
    expect(() => save(path.join(cwd, 'dangling.yaml'), 'x', known)).toThrow('is a link');
    expect(readFileSync(victim, 'utf8')).toBe(minimalYaml());
    expect(existsSync(path.join(cwd, 'new'))).toBe(false);
  });
});

describe('a state folder', () => {
  const isRoot = process.getuid?.() === 0;
  const importing = async (): Promise<Report> =>
    await importDocuments({
      ...{ input: path.join(cwd, 'r.csv'), mapping: path.join(cwd, 'm.yaml'), monitoring: 1 },
      ...{ connection: await startWithMonitoring(), stateDir: path.join(cwd, '.docferry') },
    });

  function makeState(mode: number, owner?: number): void {
    mkdirSync(path.join(cwd, '.docferry'));
    if (owner !== undefined) chownSync(path.join(cwd, '.docferry'), owner, owner);
    chmodSync(path.join(cwd, '.docferry'), mode);
  }

  it('that every user can write is narrowed', async () => {
    makeState(0o777);
    expect((await importing()).exitCode).toBe(1);
    expect(modeOf('.docferry')).toBe('775');
  });

  it('that is shared on purpose is refused and left as it is', async () => {
    makeState(0o1777);
    const refused = importing();
    await expect(refused).rejects.toMatchObject({ exitCode: 2 });
    await expect(refused).rejects.toThrow(
      /can be written by every user.*name a folder of your own in it/,
    );
    expect(lstatSync(path.join(cwd, '.docferry')).mode & 0o7777).toBe(0o1777);
  });

  it.runIf(isRoot)('of another user is refused by an ordinary one', async () => {
    makeState(0o755, 65_533);
    chmodSync(cwd, 0o755);
    const before = process.cwd();
    // The folder may lie where only root can enter.
    process.chdir(cwd);
    onTestFinished(() => process.chdir(before));
    await asOrdinaryUser(async () => {
      expect(() => checkStateFolder('.docferry')).toThrow(
        '.docferry belongs to another user (65533)',
      );
    });
  });
});
