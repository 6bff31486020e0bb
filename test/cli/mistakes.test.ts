import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach, type Ended } from '../helpers/run-cli.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';

/**
 * Mistakes that people make in their first days, by kind: each with the command line that makes it.
 * What docferry answers is in `mistakes.txt`, to be read as a whole; update it with `vitest -u`.
 */
const MISTAKES: Readonly<Record<string, string>> = {
  // The command line.
  'a misspelt command': 'improt reviews.csv -m reviews.yaml',
  'a misspelt command of a group': 'runs lst',
  'no command, only flags': '--sandbox',
  'no input': 'validate -m reviews.yaml',
  'no mapping': 'validate reviews.csv',
  'no mapping and no monitoring': 'import reviews.csv',
  'no monitoring': 'import reviews.csv -m reviews.yaml --sandbox',
  'a monitoring by its name': 'import reviews.csv -m reviews.yaml --monitoring Hotels --sandbox',
  'a misspelt flag': 'import reviews.csv -m reviews.yaml --monitorng 1 --sandbox',
  'the flag of other tools for a rehearsal':
    'import reviews.csv -m reviews.yaml --monitoring 1 --dry-run',
  'a sandbox for a validation': 'validate reviews.csv -m reviews.yaml --sandbox',
  'a monitoring for a validation': 'validate reviews.csv -m reviews.yaml --monitoring 1',
  'the sandbox and a service':
    'import reviews.csv -m reviews.yaml --monitoring 1 --sandbox --username ana',
  'the key as an argument': 'import reviews.csv -m reviews.yaml --monitoring 1 --api-key k3y',
  'a flag without its value': 'validate reviews.csv -m reviews.yaml --report',
  'a mistyped number of errors': 'validate reviews.csv -m reviews.yaml --max-errors ten',
  'a batch of no documents':
    'import reviews.csv -m reviews.yaml --monitoring 1 --sandbox --batch-size 0',
  'a unit with a number': 'monitorings list --timeout 30s',
  'a format that is not there': 'validate reviews.csv -m reviews.yaml --format pdf',
  'a short letter of another tool': 'validate reviews.csv -m reviews.yaml -d ;',
  'a run that does not exist': 'runs show 20240101-abc',
  'a call without its filters':
    'api /documents --username ana --api-key-file ana.key --base-url SERVICE',
  'a whole address as the path of a call': 'api https://api.example.com/5.0/documents --sandbox',
  'a parameter without a value': 'api /documents -f monitorings --sandbox',
  'a job without a file of jobs': 'import --job nightly',
  // Inputs.
  'an input that is not there': 'validate review.csv -m reviews.yaml',
  'an input in another folder': 'validate exports/june.csv -m reviews.yaml',
  'a folder as input': 'validate folder -m reviews.yaml',
  'a glob that matches nothing': 'validate *.tsv -m reviews.yaml',
  'an empty file': 'validate empty.csv -m reviews.yaml',
  'no header': 'validate headless.csv -m reviews.yaml',
  'a gzip file that was cut off': 'validate cut.csv.gz -m reviews.yaml',
  'a workbook that was cut off': 'validate cut.xlsx -m reviews.yaml',
  'an archive that was cut off': 'validate cut.zip -m reviews.yaml',
  'JSON with a mapping for CSV': 'validate lines.jsonl -m csv.yaml',
  'a broken line of JSON': 'validate broken.jsonl -m reviews.yaml -q',
  'a PDF': 'validate reviews.pdf -m reviews.yaml',
  'a login page': 'validate login.csv -m reviews.yaml',
  'a link without HTTPS': 'validate http://example.com/reviews.csv -m reviews.yaml',
  'an encoding that does not exist': 'validate reviews.csv -m reviews.yaml --encoding utf-9',
  'the wrong encoding': 'validate reviews.csv -m reviews.yaml --encoding utf-16le',
  'the wrong delimiter': 'validate reviews.csv -m reviews.yaml --delimiter ;',
  'two layouts in one call': 'validate reviews.csv others.csv -m reviews.yaml',
  'input and mapping swapped': 'validate reviews.yaml -m reviews.csv',
  // Mappings.
  'a mapping that is not there': 'validate reviews.csv -m review.yaml',
  'the name of a ready mapping': 'validate reviews.csv -m booking-extranet',
  'a folder as mapping': 'validate reviews.csv -m folder',
  'an export as mapping': 'validate reviews.csv -m others.csv',
  'a misspelt ready-made mapping': 'mapping show bookng',
  'the mapping of another export': 'validate others.csv -m reviews.yaml',
  'an empty mapping': 'validate reviews.csv -m empty.yaml',
  'a mapping in UTF-16': 'validate reviews.csv -m utf16.yaml',
  'broken JSON': 'validate reviews.csv -m broken.json',
  'a tab in YAML': 'validate reviews.csv -m tab.yaml',
  'a quote that is not closed': 'validate reviews.csv -m quote.yaml',
  'a text with a colon': 'validate reviews.csv -m colon.yaml',
  'a misspelt key': 'validate reviews.csv -m key.yaml',
  'a misspelt column': 'validate reviews.csv -m column.yaml',
  'a column in another Unicode form': 'validate unicode.csv -m unicode.yaml',
  'a column with an invisible character': 'validate invisible.csv -m reviews.yaml',
  'a band that does not exist': 'validate reviews.csv -m bands.yaml',
  'a date in the tokens of other tools': 'validate reviews.csv -m tokens.yaml',
  'a job without its name': 'import nightly --job',
  // The service.
  'no connection': 'import reviews.csv -m reviews.yaml --monitoring 1',
  'a base URL without a scheme':
    'monitorings list --username ana --api-key-file ana.key --base-url api.example.com/5.0',
  'a base URL without HTTPS':
    'monitorings list --username ana --api-key-file ana.key --base-url http://api.example.com/5.0',
  'a base URL without the version':
    'api /documents -f monitorings=1 --username ana --api-key-file ana.key --base-url NO_VERSION',
  'an import to a base URL without the version':
    'import reviews.csv -q -m reviews.yaml --monitoring 1 --username ana --api-key-file ana.key --base-url NO_VERSION',
  'the address of a page as base URL':
    'monitorings list --username ana --api-key-file ana.key --base-url NO_VERSION/monitorings',
  'the address of a call as base URL':
    'monitorings list --username ana --api-key-file ana.key --base-url SERVICE/monitorings/1',
  'a base URL with another version, where the key is refused':
    'monitorings list --username ana --api-key-file old.key --base-url NO_VERSION/4.0',
  'TLS to a plain port':
    'monitorings list --username ana --api-key-file ana.key --base-url TLS_TO_PLAIN',
  'a port where nothing listens':
    'monitorings list --username ana --api-key-file ana.key --base-url http://127.0.0.1:9/5.0',
  'a host that does not exist':
    'monitorings list --username ana --api-key-file ana.key --base-url https://api.invalid/5.0',
  'another monitoring':
    'import reviews.csv -q -m reviews.yaml --monitoring 77 --username ana --api-key-file ana.key --base-url SERVICE',
  'a key of another user':
    'monitorings list --username bob --api-key-file ana.key --base-url SERVICE',
  'an old key': 'monitorings list --username ana --api-key-file old.key --base-url SERVICE',
  'a key file that is not there':
    'monitorings list --username ana --api-key-file k3y-0123456789 --base-url SERVICE',
  'an empty key file':
    'monitorings list --username ana --api-key-file empty.csv --base-url SERVICE',
  'a key file in UTF-16':
    'monitorings list --username ana --api-key-file utf16.key --base-url SERVICE',
  'a key in quotes': 'monitorings list --username ana --api-key-file quoted.key --base-url SERVICE',
  'a key file with a name':
    'monitorings list --username ana --api-key-file named.key --base-url SERVICE',
  'a certificate that is none':
    'monitorings list --username ana --ca reviews.csv --api-key-file ana.key --base-url SERVICE',
  // Outputs and state.
  'rejects in the way': 'validate reviews.csv -m reviews.yaml --rejects others.csv',
  'the input as report': 'validate reviews.csv -m reviews.yaml --report reviews.csv',
  'a folder that is not there': 'validate reviews.csv -m reviews.yaml --report out/report.json',
  'a folder as report': 'validate reviews.csv -m reviews.yaml --report folder',
  'a page on stdout': 'validate reviews.csv -m reviews.yaml --html -',
  'two outputs on stdout': 'validate reviews.csv -m reviews.yaml --json --events -',
  'a mapping in the way': 'guess reviews.csv -o reviews.yaml',
  'a file as state folder':
    'import reviews.csv -m reviews.yaml --monitoring 1 --sandbox --state-dir others.csv',
  'an export as report': 'report reviews.csv',
};

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
  const text = (await runAll()).map(([what, { code, stdout, stderr }]) => {
    // The rest of a report has tests of its own.
    const [first = '', ...more] = stdout.split('\n');
    const causes = more.filter((line) => /^(✗|! \d| {2}(line|Fix) )/.test(line));
    const shown = stdout === '' ? '' : [first, ...causes, ''].join('\n');
    return `# ${what}\n$ docferry ${MISTAKES[what]}\n${shown}${stderr}[exit ${code}]\n`;
  });
  await expect(text.join('\n')).toMatchFileSnapshot('mistakes.txt');
});

it('with --json, each is answered with one JSON value on stdout', async () => {
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
    expect(stderr, what).toContain(answer.error.message.split('\n')[0]);
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
