import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { refusal, type WatchedService, watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  checkEnded,
  checkStopped,
  command,
  type Job,
  makeJob,
  startJob,
} from './job.js';

/** A run that has imported some of its records, in order, and was stopped then. */
interface Begun {
  readonly job: Job;
  readonly service: WatchedService;
  readonly run: string;
}

/** When the files were last written: a moment that every file system can hold. */
const WRITTEN = new Date('2024-06-01T12:00:00Z');

/** A file of a job, as it was. */
function remembered({ folder: place }: Job, name: string) {
  const file = path.join(place, name);
  const content = readFileSync(file, 'utf8');
  const write = (text: string): void => {
    writeFileSync(file, text);
    utimesSync(file, WRITTEN, WRITTEN);
  };
  return { file, content, write, restore: () => write(content) };
}

async function begin(): Promise<Begun> {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(2);
  let open = false;
  const service = await watchService(sandbox, async ({ number }, pass) => {
    open ||= number > 8;
    return number < 8 || open ? await pass() : refusal(401, 'not now');
  });
  const { baseUrl } = service;
  const settings = { folder: newFolder(), sandbox, baseUrl, records: 400, concurrency: 1 };
  const job = await makeJob(settings);
  utimesSync(path.join(job.folder, 'reviews.jsonl'), WRITTEN, WRITTEN);
  const { run, counts } = await checkEnded(job, await startJob(job).ended);
  expect(counts.accepted).toBe(140);
  return { job, service, run };
}

longTest('a run is refused with what has changed, and resumes once that is undone', async () => {
  const { job, service, run } = await begin();
  const input = remembered(job, 'reviews.jsonl');
  const mapping = remembered(job, 'mapping.json');
  const sent = service.imports.length;
  const refused = async (reason: RegExp, ...args: readonly string[]): Promise<void> => {
    const ended = await command(job, ...args);
    expect(ended.stderr).toMatch(reason);
    expect(ended.stderr).toContain(`The run ${run} can't be resumed: `);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  };
  const resume = ['runs', 'resume', run];

  input.write(`${input.content}\n`);
  await refused(/reviews\.jsonl has \d+ bytes, and it had \d+/, ...resume);
  input.restore();
  utimesSync(input.file, WRITTEN, new Date('2001-02-03T04:05:06Z'));
  await refused(/reviews\.jsonl was written 2001-02-03T04:05:06\.000Z, and before that/, ...resume);
  input.restore();
  mapping.write(mapping.content.replace('"en"', '"es"'));
  await refused(/the mapping "Reviews" is not what it was/, ...resume);
  mapping.restore();
  const importing = [...job.arguments, '--resume', run];
  await refused(/the schema or profile is another one/, ...importing, '--profile', 'complete');
  await refused(/the monitoring is 2, and it was 1/, ...replaced(importing, '--monitoring', '2'));

  // The same size and time, and other content: it is found out before anything of it is sent.
  input.write(input.content.replace('"Review 30"', '"Review 3O"'));
  const report = await checkStopped(job, await startJob(job, ['--resume', run]).ended);
  expect(report).toMatchObject({ exitCode: 4, resumable: true, stop: { kind: 'changed' } });
  expect(report.stop?.message).toMatch(/reviews\.jsonl, record 30 is not what was sent/);
  input.restore();
  expect(service.imports.length).toBe(sent);

  await checkComplete(job, await startJob(job, ['--resume', run]).ended);
});

function replaced(given: readonly string[], flag: string, value: string): readonly string[] {
  const at = given.indexOf(flag);
  return [...given.slice(0, at), flag, value, ...given.slice(at + 2)];
}
