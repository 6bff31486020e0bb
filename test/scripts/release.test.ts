import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';

const INTRODUCTION = '# Changelog\n\nAll notable changes.\n';
const TODAY = new Date().toISOString().slice(0, 10);

let here: string;
beforeEach(() => {
  here = newFolder();
});

function put(name: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path.join(here, name), text);
}

function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const program = path.join(ROOT, 'scripts', script);
  const { PATH } = process.env;
  const options = { cwd: here, encoding: 'utf8', env: { PATH, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return { status, stdout, stderr };
}

describe('cut-changelog', () => {
  const cut = (...args: string[]) => run('cut-changelog.mjs', args);
  const changelog = (): string => readFileSync(path.join(here, 'CHANGELOG.md'), 'utf8');

  it('moves what is unreleased under the version and the day, and leaves room for more', () => {
    const older = '## 1.0.0 (2026-12-01)\n\n- All of it.\n';
    put('CHANGELOG.md', `${INTRODUCTION}\n## Unreleased\n\n### Fixed\n\n- Less.\n\n${older}`);
    expect(cut('1.1.0')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(changelog()).toBe(
      `${INTRODUCTION}\n## Unreleased\n\n## 1.1.0 (${TODAY})\n\n### Fixed\n\n- Less.\n\n${older}`,
    );
    put('CHANGELOG.md', changelog().replace('## Unreleased\n', '## Unreleased\n\n- And more.\n'));
    expect(cut('1.1.1').status).toBe(0);
    expect(changelog().match(/^(?:## |- ).*/gm)).toEqual([
      '## Unreleased',
      `## 1.1.1 (${TODAY})`,
      '- And more.',
      `## 1.1.0 (${TODAY})`,
      '- Less.',
      '## 1.0.0 (2026-12-01)',
      '- All of it.',
    ]);
  });

  it.each([
    ['what is no version', 'v1.0', '## Unreleased\n\n- New.\n', /not "v1\.0"/],
    ['a version that is there', '1.0.0', '## Unreleased\n\n- New.\n\n## 1.0.0 (x)\n', /already/],
    ['nothing new', '1.0.1', '## Unreleased\n\n## 1.0.0 (x)\n\n- Old.\n', /has nothing under/],
    ['nothing at all', '1.0.1', '## Unreleased\n', /has nothing under/],
    ['a changelog without the heading', '1.0.1', '## 1.0.0 (x)\n', /no line "## Unreleased"/],
  ])('refuses %s, and changes nothing', (_, version, sections, message) => {
    put('CHANGELOG.md', `${INTRODUCTION}\n${sections}`);
    const { status, stderr } = cut(version);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
    expect(stderr).not.toMatch(/\n +at /);
    expect(changelog()).toBe(`${INTRODUCTION}\n${sections}`);
  });
});

describe('check-release', () => {
  const MANIFEST = {
    version: '1.0.0',
    repository: { type: 'git', url: 'git+https://github.com/somebody/docferry.git' },
  };
  const lockOf = (version: string) => ({ version, packages: { '': { version } } });
  const IN_ACTIONS = { GITHUB_REPOSITORY: 'somebody/docferry', GITHUB_REF_NAME: 'v1.0.0' };

  function release(manifest: typeof MANIFEST, unreleased = ''): void {
    const { version } = manifest;
    put('package.json', manifest);
    put('package-lock.json', lockOf(version));
    const sections = `## Unreleased\n\n${unreleased}## ${version} (2026-12-01)\n\n- New.\n`;
    put('CHANGELOG.md', `${INTRODUCTION}\n${sections}`);
  }

  it.each([
    ['1.0.0', 'latest'],
    ['1.0.0-rc.0', 'next'],
  ])('says under which tag npm offers %s', (version, tag) => {
    release({ ...MANIFEST, version });
    const inActions = { ...IN_ACTIONS, GITHUB_REF_NAME: `v${version}` };
    for (const env of [{}, inActions]) {
      expect(run('check-release.mjs', [], env)).toEqual({
        status: 0,
        stdout: `${tag}\n`,
        stderr: '',
      });
    }
  });

  it.each<[string, () => void, RegExp]>([
    [
      'no public address',
      () => put('package.json', { version: '1.0.0' }),
      /package\.json has no repository: add \{ "type": "git"/,
    ],
    [
      'the address of another repository',
      () => {
        const url = 'git+https://github.com/else/docferry.git';
        put('package.json', { ...MANIFEST, repository: { type: 'git', url } });
      },
      /this is somebody\/docferry/,
    ],
    [
      'a lock file of another version',
      () => put('package-lock.json', lockOf('0.9.0')),
      /has version 0\.9\.0: run npm version 1\.0\.0/,
    ],
    ['another tag', () => release({ ...MANIFEST, version: '1.0.1' }), /the tag is v1\.0\.0/],
    [
      'what is no version',
      () => release({ ...MANIFEST, version: '1.0.0-rc0' }),
      /1\.0\.0-rc0 is no version/,
    ],
    [
      'no section in the changelog',
      () => put('CHANGELOG.md', `${INTRODUCTION}\n## Unreleased\n\n- New.\n`),
      /no section for 1\.0\.0: run node scripts\/cut-changelog\.mjs 1\.0\.0/,
    ],
    [
      'changes that are not cut',
      () => release(MANIFEST, '- More.\n\n'),
      /changes under Unreleased/,
    ],
  ])('refuses a release with %s', (_, spoil, message) => {
    release(MANIFEST);
    spoil();
    const { status, stdout, stderr } = run('check-release.mjs', [], IN_ACTIONS);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

/** What the tests look at of a job. */
interface Job {
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

describe('the workflow that publishes', () => {
  const file = readFileSync(path.join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const { permissions, jobs } = parse(file);
  const entries = Object.entries<Job>(jobs);
  const steps = entries.flatMap(([, job]) => job.steps);

  it('names actions by commit, as what a tag names can change', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('lets only the job that publishes ask who it is, and none use a secret', () => {
    expect(permissions).toEqual({});
    const asking = entries.filter(([, job]) => 'id-token' in job.permissions);
    expect(asking.map(([name]) => name)).toEqual(['publish']);
    expect(file).not.toMatch(/secrets\./);
  });

  it('publishes after all checks, under the tag that the release check says', () => {
    const { check, publish } = jobs as Record<string, Job>;
    expect(publish?.needs).toBe('check');
    expect(check?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'node scripts/check-release.mjs',
      '.ci/run',
    ]);
    const [last] = publish?.steps.slice(-1) ?? [];
    expect(last?.run).toBe(
      'tag=$(node scripts/check-release.mjs)\nnpm publish --provenance --access public --tag "$tag"\n',
    );
  });
});
