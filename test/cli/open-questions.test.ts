/** Questions that a mapping leaves open are said by whatever uses the mapping, and refused if asked. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { importDocuments, type Report, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach } from '../helpers/run-cli.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';

const MAPPING = `profile: minimal
document:
  sourceId: "{id}"
  # TODO: check that the liked part comes first. If not, put it
  # last.
  text: "{text}" # TODO: is it the whole review?
tests:
  - record: { id: a, text: Good }
    document: { sourceId: a }
`;
const SAID =
  'm.yaml leaves 2 questions open: “check that the liked part comes first. If not, put it last” (line 4), “is it the whole review” (line 6).';
const QUESTIONS = [
  { line: 4, text: 'check that the liked part comes first. If not, put it last.' },
  { line: 6, text: 'is it the whole review?' },
];

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'answered.yaml', MAPPING.replaceAll('TODO', 'Checked'));
  put(cwd, 'r.csv', 'id,text\na,Good\nb,Bad\n');
});

const SANDBOX = ['--monitoring', '1', '--sandbox'];

/** Runs command lines, each with all that it prints. */
async function runEach(...lines: readonly (readonly string[])[]) {
  const all = await docferryEach(lines, { cwd });
  return all.map((ended) => ({
    ...ended,
    all: `${ended.stdout}${ended.stderr}`.replace(/\s+/g, ' '),
  }));
}

describe('the open questions of a mapping', () => {
  it('are said by each command that uses the mapping until they are answered, and are in report and page', async () => {
    const files = ['--report', 'r.json', '--html', 'r.html', '--max-errors', '100'];
    const [imported] = await runEach(['import', 'r.csv', '-m', 'm.yaml', ...SANDBOX, ...files]);
    expect(imported).toMatchObject({ code: 0, all: expect.stringContaining(SAID) });
    expect(imported?.stdout).toMatch(/^! Finished: all 2 reviews imported/);
    const report = JSON.parse(readFileSync(path.join(cwd, 'r.json'), 'utf8')) as Report;
    expect(report.openQuestions).toEqual(QUESTIONS);
    const page = readFileSync(path.join(cwd, 'r.html'), 'utf8');
    for (const { text } of QUESTIONS) expect(page).toContain(text);
    expect(page).toContain('The mapping leaves <a href="#questions">2 questions</a> open.');

    put(
      cwd,
      'docferry.yaml',
      'jobs: { nightly: { input: r.csv, mapping: m.yaml, monitoring: 1 } }',
    );
    const lines = [
      ['validate', 'r.csv', '-m', 'm.yaml'],
      ['preview', 'r.csv', '-m', 'm.yaml'],
      ['mapping', 'test', 'm.yaml'],
      ['runs', 'show', report.run],
      ['report', 'r.json'],
      ['import', '--job', 'nightly', '--sandbox'],
      ['jobs', 'check'],
    ];
    const learn = ['mapping', 'learn', 'r.csv', '-m', 'm.yaml', '-o', 'l.yaml'];
    const answered = ['validate', 'r.csv', '-m', 'answered.yaml', '--strict'];
    const all = await runEach(...lines, learn, answered);
    for (const [at, args] of lines.entries()) {
      expect(all[at], args.join(' ')).toMatchObject({
        code: 0,
        all: expect.stringContaining(SAID),
      });
    }
    expect(all.at(-3)?.stdout).toMatch(/^! nightly\n/);
    expect(all.at(-2)?.all).toContain('l.yaml leaves 2 questions open');
    expect(all.at(-1)).toMatchObject({ code: 0, all: expect.not.stringContaining('open') });
    expect(all.at(-1)?.stdout).toMatch(/^✓ /);
  });

  it('are a notice of the library, and refused there', async () => {
    const options = { input: path.join(cwd, 'r.csv'), mapping: path.join(cwd, 'm.yaml') };
    const notices: string[] = [];
    const running = validateDocuments(options);
    for await (const event of running) if (event.type === 'notice') notices.push(event.message);
    expect(notices.join()).toContain('leaves 2 questions open');
    expect((await running).openQuestions).toEqual(QUESTIONS);
    const connection = await startTestSandbox();
    const strict = importDocuments({
      ...options,
      monitoring: 1,
      connection,
      stateDir: false,
      strict: true,
    });
    await expect(strict).rejects.toMatchObject({ name: 'MappingError', exitCode: 2 });
  });
});
