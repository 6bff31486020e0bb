import path from 'node:path';
import { expect } from 'vitest';
import type { Counts, Report } from '../../src/index.js';
import { countStates } from '../../src/model/record-ranges.js';
import { openStore } from '../../src/runs/open-store.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { MAPPING, review } from '../helpers/reviews.js';
import {
  docferryOnce,
  type Ended,
  environmentOf,
  type Started,
  type Surroundings,
  startDocferry,
} from '../helpers/run-cli.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { newSharedState } from '../helpers/shared-state.js';

/** So many records. */
export function reviews(count: number): ReturnType<typeof review>[] {
  return Array.from({ length: count }, (_, index) => review(index + 1));
}

/** One record a line. */
export function lines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Where runs may be kept: in the job's folder, or in a state that processes share. */
export type StoreName = 'sqlite' | 'postgres';

/** Those that can be tried on this machine. */
export const STORES: readonly StoreName[] = HAS.postgres ? ['sqlite', 'postgres'] : ['sqlite'];

/** What a killed process has is soon given to others. */
export const SHORT_LEASES = { beatMs: 200, expiryMs: 6_000, marginMs: 1_500 };

/** How long a job waits for an answer, and for documents to show: as short as a busy machine allows. */
const PATIENCE_MS = 1_000;

/** An import that is to be done, whatever happens meanwhile. */
export interface Job {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly monitoring: number;
  /** Folder or address of where its runs are kept. */
  readonly place: string;
  /** The sourceIds of its records. */
  readonly ids: readonly string[];
  /** How many of them each of its files has. */
  readonly perFile: number;
  readonly surroundings: Pick<Surroundings, 'cwd' | 'env'>;
  readonly arguments: readonly string[];
}

/** What a job is made of, where the usual won't do. */
interface JobSettings {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly records: number;
  readonly store?: StoreName;
  /** A shared state that is there; otherwise the store says where runs are kept. */
  readonly state?: string;
  /** How many files the records are in; default 1. */
  readonly files?: number;
  /** About how long a record's text is. */
  readonly textBytes?: number;
  /** Where the process is told that the service is; by default the sandbox itself. */
  readonly baseUrl?: string;
  readonly monitoring?: number;
  readonly batchSize?: number;
  readonly concurrency?: number;
  readonly patienceMs?: number;
}

/** Makes a job's files and its monitoring. */
export async function makeJob(settings: JobSettings): Promise<Job> {
  const { folder, sandbox, records, store, baseUrl = sandbox.baseUrl } = settings;
  const { monitoring = 1, batchSize = 20, concurrency = 4, patienceMs = PATIENCE_MS } = settings;
  await sandbox.ensureMonitoring(monitoring);
  const { files = 1, textBytes = 0 } = settings;
  const all = reviews(records).map((one) => ({ ...one, text: one.text.padEnd(textBytes, ' ab') }));
  const perFile = Math.ceil(records / files);
  const names = Array.from({ length: files }, (_, index) => {
    const name = files === 1 ? 'reviews.jsonl' : `reviews-${index}.jsonl`;
    put(folder, name, lines(all.slice(index * perFile, (index + 1) * perFile)));
    return name;
  });
  put(folder, 'mapping.json', JSON.stringify(MAPPING));
  const shared = store === 'postgres' ? await newSharedState(SHORT_LEASES) : undefined;
  const { state = shared } = settings;
  const env = {
    ...environmentOf({ ...sandbox, baseUrl }),
    ...(state === undefined ? {} : { DOCFERRY_STATE: state }),
  };
  const seconds = String(patienceMs / 1000);
  return {
    folder,
    sandbox,
    monitoring,
    place: state ?? path.join(folder, '.docferry'),
    ids: all.map(({ id }) => id),
    perFile,
    surroundings: { cwd: folder, env },
    arguments: [
      ...['import', ...names, '--mapping', 'mapping.json'],
      ...['--monitoring', String(monitoring), '--json', '--quiet'],
      ...['--batch-size', String(batchSize), '--concurrency', String(concurrency)],
      ...['--timeout', seconds, '--settle-time', seconds],
    ],
  };
}

/** Starts a process on a job. */
export function startJob(
  job: Job,
  more: readonly string[] = [],
  { env, ...how }: Partial<Surroundings> = {},
): Started {
  const { cwd, env: usual } = job.surroundings;
  return startDocferry([...job.arguments, ...more], { cwd, env: { ...usual, ...env }, ...how });
}

/** Another command in a job's folder. */
export function command({ surroundings }: Job, ...args: readonly string[]): Promise<Ended> {
  return docferryOnce(args, surroundings);
}

/** Whether a command with `--json` has printed a report, and not why there is none. */
export function hasReport({ stdout }: Ended): boolean {
  return stdout !== '' && !('error' in JSON.parse(stdout));
}

/** The report that a command has printed. */
export function reportIn({ stdout, stderr }: Ended): Report {
  if (!hasReport({ code: null, stdout, stderr })) throw new Error(`There is no report: ${stderr}`);
  return JSON.parse(stdout) as Report;
}

/** Ids of the runs that were begun of a job. */
export async function runsOf({ place }: Job): Promise<readonly string[]> {
  await using store = await openStore(place);
  return await store.list();
}

/** The sourceIds of what the service shows, each as often as it is there, in order. */
export async function shownIds({ sandbox, monitoring }: Job): Promise<readonly string[]> {
  const shown = await shownDocuments(sandbox, monitoring);
  return shown.map(({ sourceId }) => sourceId).toSorted();
}

/** What a run's journal says. */
interface Journalled {
  readonly counts: ReturnType<typeof countStates>;
  /** The sourceIds of what is accepted, and of all that was to be sent. */
  readonly accepted: ReadonlySet<string>;
  readonly intended: ReadonlySet<string>;
}

/** Reads a run's journal. */
async function journalled({ place, perFile }: Job, run: string): Promise<Journalled> {
  await using store = await openStore(place);
  const states = await (await store.openReadOnly(run)).states();
  const accepted = new Set<string>();
  const intended = new Set<string>();
  for (const [{ input, from, to }, { kind }] of states.entries()) {
    for (let record = from; record <= to; record += 1) {
      const { id } = review(input * perFile + record);
      intended.add(id);
      if (kind === 'accepted') accepted.add(id);
    }
  }
  return { counts: countStates(states), accepted, intended };
}

/** The same of all runs of a job. */
async function journalledByAll(job: Job): Promise<Pick<Journalled, 'accepted' | 'intended'>> {
  const all = { accepted: new Set<string>(), intended: new Set<string>() };
  for (const run of await runsOf(job)) {
    const { accepted, intended } = await journalled(job, run);
    for (const id of accepted) all.accepted.add(id);
    for (const id of intended) all.intended.add(id);
  }
  return all;
}

/** Those that a list holds more than once. */
export function repeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}

/**
 * What holds at any moment: what is said to be there is there, nothing is there twice. Others may be
 * sending meanwhile, who write an intent before and an acknowledgement after.
 */
export async function checkMeanwhile(job: Job): Promise<readonly string[]> {
  const { accepted } = await journalledByAll(job);
  const shown = await shownIds(job);
  const { intended } = await journalledByAll(job);
  const there = new Set(shown);
  expect(missing(accepted, there), 'acknowledged and not there').toEqual([]);
  expect(repeated(shown), 'there twice').toEqual([]);
  expect(missing(there, intended), 'there without an intent').toEqual([]);
  return shown;
}

/** What holds when a process has ended by itself: also its report, its exit code and its journal. */
export async function checkEnded(job: Job, ended: Ended): Promise<Report> {
  const report = await checkStopped(job, ended);
  const { accepted, rejected, unknown } = report.counts;
  const { counts } = await journalled(job, report.run);
  expect({ ...counts, unsent: 0 }, 'journal and report').toEqual({
    ...{ accepted, rejected, unknown },
    ...{ sending: 0, unsent: 0 },
  });
  return report;
}

/**
 * The same when a process that went on with a run was stopped before it had read its input again:
 * then its report knows only of what it came to, and the journal of more.
 */
async function checkStopped(job: Job, ended: Ended): Promise<Report> {
  const report = reportIn(ended);
  const { counts } = report;
  expect(counts.read, 'the sum rule').toBe(sumOf(counts));
  expect(ended.code, 'exit code').toBe(report.exitCode);
  expect((await journalled(job, report.run)).counts.accepted).toBeGreaterThanOrEqual(
    counts.accepted,
  );
  await checkMeanwhile(job);
  return report;
}

/** What holds when all is done: every document is there, once, and counts as accepted. */
export async function checkComplete(job: Job, ended: Ended): Promise<Report> {
  const report = await checkEnded(job, ended);
  // First, as it says why when the import came to nothing.
  expect(report).toMatchObject({ exitCode: 0, stop: null, resumable: false });
  expect(await shownIds(job), 'everything is there once').toEqual(job.ids.toSorted());
  // What an earlier run of the folder had finished, a new one leaves out.
  const { accepted, duplicate } = report.counts;
  expect(accepted + duplicate, 'accepted').toBe(job.ids.length);
  return report;
}

function sumOf({ read: _, ...outcomes }: Counts): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

function missing(from: ReadonlySet<string>, there: ReadonlySet<string>): readonly string[] {
  return [...from].filter((id) => !there.has(id));
}
