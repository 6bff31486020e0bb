/** Feeds whose pieces end anywhere, read by processes of their own. */
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { newFolder, put } from '../../helpers/files.js';
import { MAPPING } from '../../helpers/reviews.js';
import { docferry, type Ended, type Surroundings } from '../../helpers/run-cli.js';
import { startTestSandbox } from '../../helpers/start-sandbox.js';
import { watchService } from '../../helpers/watched-service.js';
import {
  checkComplete,
  checkMeanwhile,
  makeJob,
  reviews,
  startJob,
} from '../../reliability/job.js';

const OPTIONS = ['--mapping', 'mapping.json', '--json', '--quiet'] as const;
const COMMENT = `<!-- ${'not yet <review> & '.repeat(12)}-->`;

const mappingOf = (records: string) => ({ ...MAPPING, input: { format: 'xml', records } });

function elements(count: number): string[] {
  return reviews(count).map(
    ({ id, text, at }) => `<review><id>${id}</id><text>${text}</text><at>${at}</at></review>\n`,
  );
}

function commented(count: number): string {
  return `<feed><reviews>\n${elements(count).join(COMMENT)}</reviews></feed>\n`;
}

/** A feed whose products have a name in CDATA, and one review each. */
function products(count: number): string {
  const name = `<name><![CDATA[${'Kettle <2 l> & lid, '.repeat(12)}]]></name>`;
  const each = elements(count).map((one) => `<p>${name}<reviews>${one}</reviews></p>\n`);
  return `<feed>\n${each.join('')}</feed>\n`;
}

/** Validates a feed in a process of its own. */
async function validate(
  path: string,
  input: string,
  { content, stdin = '' }: { content?: Buffer; stdin?: Surroundings['stdin'] },
): Promise<Ended> {
  const cwd = newFolder();
  if (content !== undefined) put(cwd, input, content);
  put(cwd, 'mapping.json', JSON.stringify(mappingOf(path)));
  return await docferry(['validate', input, ...OPTIONS], { cwd, stdin });
}

it.each([
  ['comments', 'feed/reviews/review', commented(8_000)],
  ['products with sections', 'feed/p/reviews/review', products(8_000)],
])('reads a compressed feed of %s', async (_, path, text) => {
  const content = gzipSync(text, { level: 1 });
  const ended = await validate(path, 'feed.xml.gz', { content });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { read: 8_000, invalid: 0 } });
});

it('reads a feed from stdin that pauses inside a comment', async () => {
  const text = commented(2_000);
  const cut = text.lastIndexOf('-->');
  const stdin = new PassThrough();
  stdin.write(text.slice(0, cut));
  const ending = validate('feed/reviews/review', '-', { stdin });
  // What is there is read after a second.
  await wait(2_500);
  stdin.end(text.slice(cut));
  const ended = await ending;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { read: 2_000, invalid: 0 } });
});

it('brings the import of a feed to its end that was killed', async () => {
  const sandbox = await startTestSandbox({
    faults: { rules: [{ on: 'import', latency: { fixed: 30 } }] },
  });
  let called = (): void => {};
  const fourCalls = new Promise<void>((resolve) => {
    called = resolve;
  });
  const { baseUrl, imports, idle } = await watchService(sandbox, async (_, pass) => {
    if (imports.length >= 4) called();
    return await pass();
  });
  const folder = newFolder();
  const usual = await makeJob({ folder, sandbox, baseUrl, records: 1_000 });
  put(folder, 'feed.xml.gz', gzipSync(commented(1_000)));
  put(folder, 'mapping.json', JSON.stringify(mappingOf('feed/reviews/review')));
  const job = { ...usual, arguments: usual.arguments.with(1, 'feed.xml.gz') };
  const { child, ended } = startJob(job);
  await Promise.race([fourCalls, ended]);
  child.kill('SIGKILL');
  await ended;
  await idle();
  const shown = await checkMeanwhile(job);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(1_000);
  await checkComplete(job, await startJob(job, ['--resume']).ended);
});
