import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';

/** To be read as a whole. A new mistake is its first two lines; `vitest -u` writes the rest. */
const FILE = path.join(import.meta.dirname, 'mistakes.txt');

/** Mistakes that people make in their first days, each with the command line that makes it. */
const MISTAKES: Readonly<Record<string, string>> = Object.fromEntries(
  [...readFileSync(FILE, 'utf8').matchAll(/^# (.*)\n\$ docferry (.*)$/gm)].map(
    ([, what = '', line = '']) => [what, line],
  ),
);

const HEADER = 'id,date,score,title,text,language\n';
const ROWS = 'r1,2024-06-03,8,Good,Clean and quiet,en\nr2,2024-06-04,3,Bad,Loud and dirty,en\n';
const MAPPING = `name: Reviews
profile: minimal
document:
  sourceId: '{id}'
  published: { from: date, date: iso }
  text: '{title} {text}'
  language: '{language}'
  sentiment: { from: score, bands: { R: 0, N: 5, B: 7 } }
`;
const KEY = 'k3y-0123456789';

async function runAll(...more: readonly string[]): Promise<readonly [string, Ended][]> {
  const cwd = newFolder();
  writeFiles(cwd);
  const { baseUrl } = await startTestSandbox({ username: 'ana', apiKey: KEY });
  const addresses: Readonly<Record<string, string>> = {
    SERVICE: baseUrl,
    NO_VERSION: baseUrl.replace(/\/5\.0$/, ''),
    TLS_TO_PLAIN: baseUrl.replace('http:', 'https:'),
  };
  const lines = Object.values(MISTAKES).map((line) => [
    ...line.replace(/\b[A-Z]+_?[A-Z_]+\b/g, (word) => addresses[word] ?? word).split(' '),
    ...more,
  ]);
  const all = await docferryEach(lines, { cwd });
  const { port } = new URL(baseUrl);
  const withoutPlaces = (text: string) =>
    text.replaceAll(cwd, '/home/ana').replaceAll(port, 'PORT');
  return Object.keys(MISTAKES).map((what, at) => {
    const { code, stdout, stderr } = all[at] as Ended;
    return [what, { code, stdout: withoutPlaces(stdout), stderr: withoutPlaces(stderr) }];
  });
}

it('each mistake is answered with place, reason and remedy', async () => {
  expect(Object.keys(MISTAKES).length).toBeGreaterThan(80);
  const text = (await runAll()).map(([what, { code, stdout, stderr }]) => {
    // The rest of a report has tests of its own.
    const [first = '', ...more] = stdout.split('\n');
    const causes = more.filter((line) => /^(✗|! \d| {2}(line|Fix) )/.test(line));
    const shown = stdout === '' ? '' : [first, ...causes, ''].join('\n');
    return `# ${what}\n$ docferry ${MISTAKES[what]}\n${shown}${stderr}[exit ${code}]\n`;
  });
  await expect(text.join('\n')).toMatchFileSnapshot(FILE);
});

longTest('with --json, each is answered with one JSON value on stdout', async () => {
  const answers = new Map<string, Record<string, unknown>>();
  for (const [what, { stdout, stderr, code }] of await runAll('--json')) {
    const answer = JSON.parse(stdout);
    answers.set(what, answer);
    if (answer.run !== undefined) continue;
    expect(answer, what).toEqual({
      error: {
        kind: expect.stringMatching(/^[A-Z]\w+Error$/),
        message: expect.any(String),
        file: answer.error.file,
        line: answer.error.line,
        column: answer.error.column,
        exitCode: code,
      },
    });
    // A terminal shows the last command of a line so that it can be pasted.
    const [sentence] = answer.error.message.replaceAll('`', '').split('\n');
    expect(stderr.replaceAll('`', ''), what).toContain(sentence);
  }
  const place = (what: string) => {
    const { error } = answers.get(what) as { error: Record<string, unknown> };
    return [error['kind'], error['file'], error['line'], error['column']];
  };
  expect(place('no mapping')).toEqual(['OptionError', null, null, null]);
  expect(place('a misspelt key')).toEqual(['MappingError', 'key.yaml', 5, 3]);
  expect(place('a misspelt column')).toEqual(['MappingError', 'column.yaml', 6, 9]);
  expect(place('a tab in YAML')).toEqual(['MappingError', 'tab.yaml', 6, 1]);
  expect(place('a mapping that is not there')).toEqual(['MappingError', 'review.yaml', null, null]);
  expect(place('an empty file')).toEqual(['SourceError', 'empty.csv', null, null]);
  expect(place('an input that is not there')).toEqual(['SourceError', 'review.csv', null, null]);
  expect(place('an old key')).toEqual(['AuthenticationError', null, null, null]);
});

it('reports, lists and tests of mappings are JSON with --json, too', async () => {
  const cwd = newFolder();
  writeFiles(cwd);
  put(
    cwd,
    'tested.yaml',
    `${MAPPING}tests:\n  - { record: { id: r1 }, document: { sourceId: r2 } }\n`,
  );
  const lines = [
    'validate reviews.csv -m reviews.yaml --report report.json',
    'report report.json --json',
    'mapping list --json',
    'mapping test tested.yaml reviews.yaml --json',
  ];
  const [, ...all] = await docferryEach(
    lines.map((line) => line.split(' ')),
    { cwd },
  );
  const [report, list, tested] = all.map(({ stdout }) => JSON.parse(stdout));
  const written = JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8'));
  expect(report).toEqual(written);
  expect(list).toContainEqual(expect.objectContaining({ name: 'hotel-reviews', format: 'csv' }));
  const failed = { index: 0, passed: false, differences: [expect.stringContaining('r2')] };
  expect(tested).toMatchObject([
    { file: 'tested.yaml', tests: [failed] },
    { file: 'reviews.yaml', tests: [] },
  ]);
  expect(all.map(({ code }) => code)).toEqual([0, 0, 1]);
});

function writeFiles(cwd: string): void {
  const write = (name: string, content: string | Uint8Array) => put(cwd, name, content);
  write('reviews.csv', HEADER + ROWS);
  write('others.csv', 'Reference,Day,Stars,Comment\nx1,03/06/2024,4,Fine\n');
  write('reviews.yaml', MAPPING);
  write('empty.csv', '');
  write('headless.csv', ROWS);
  write('cut.csv.gz', gzipSync(HEADER + ROWS.repeat(500)).subarray(0, 60));
  // The starts of archives: the name of their first file.
  write('cut.xlsx', 'PK\x03\x04[Content_Types].xml');
  write('cut.zip', 'PK\x03\x04reviews.csv');
  write('broken.jsonl', '{"id":"r1","date":"2024-06-03"\n{"id":"r2"}\n');
  write('lines.jsonl', '{"id":"r1","text":"Good"}\n');
  write('csv.yaml', `input: { format: csv }\n${MAPPING}`);
  write('reviews.pdf', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n');
  write('login.csv', '<!DOCTYPE html><html><title>Log in</title></html>\n');
  write('empty.yaml', '');
  write('utf16.yaml', Buffer.from(`\ufeff${MAPPING}`, 'utf16le'));
  write('broken.json', '{\n  "name": "Reviews",\n  "document": {\n    "sourceId": "{id}",,\n');
  write('tab.yaml', MAPPING.replace("  text: '", "\ttext: '"));
  write('quote.yaml', MAPPING.replace("{text}'", '{text}'));
  write('colon.yaml', MAPPING.replace("'{title} {text}'", 'Title: {title}'));
  write('key.yaml', MAPPING.replace('published:', 'publishd:'));
  write('column.yaml', MAPPING.replace('{title}', '{tittle}'));
  write('bands.yaml', MAPPING.replace('R: 0, N: 5, B: 7', 'bad: 0, N: 5, good: 7'));
  write('tokens.yaml', MAPPING.replace('date: iso', 'date: YYYY-MM-DD'));
  write('ana.key', KEY);
  write('old.key', 'k3y-of-last-year');
  write('utf16.key', Buffer.from(`\ufeff${KEY}\n`, 'utf16le'));
  write('quoted.key', `"${KEY}"\n`);
  write('named.key', `DOCFERRY_API_KEY=${KEY}\n`);
  write('unicode.csv', 'id,date,score,Ti\u0301tulo,text,language\n');
  write('unicode.yaml', MAPPING.replace('{title}', '{T\u00edtulo}'));
  write('invisible.csv', HEADER.replace('score', 'score\u200b') + ROWS);
  mkdirSync(path.join(cwd, 'folder'));
}
