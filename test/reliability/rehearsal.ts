import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, vi } from 'vitest';
import { type ImportOptions, importDocuments, type Report } from '../../src/index.js';
import type { FaultRule } from '../../src/sandbox/index.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { MAPPING } from '../helpers/reviews.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';
import { type Meddle, type WatchedService, watchService } from '../helpers/watched-service.js';
import { lines, repeated, reviews } from './job.js';

/** Timeout and settle time: as short as a busy machine allows. */
export const SETTLE_MS = 500;

/** Imports of the same records into one service, of which only the outside is looked at. */
export interface Rehearsal {
  readonly folder: string;
  readonly stateDir: string;
  readonly sandbox: TestSandbox;
  readonly service: WatchedService;
  readonly connection: ImportOptions['connection'];
  /** Imports the records, by default one a request, and checks what holds for every report. */
  run(more?: Partial<ImportOptions>): Promise<Report>;
  /** The sourceIds that the service shows, in order, each as often as it is there. */
  shown(): Promise<readonly string[]>;
  /** The sourceIds of all imports, in the order in which they arrived. */
  sent(): readonly string[];
}

interface RehearsalSettings {
  readonly records?: number;
  readonly rules?: readonly FaultRule[];
  readonly meddle?: Meddle;
}

/** The sourceIds of so many records, in the order of `shown`. */
export function idsOf(records: number): readonly string[] {
  return reviews(records)
    .map(({ id }) => id)
    .toSorted();
}

export async function rehearse(settings: RehearsalSettings = {}): Promise<Rehearsal> {
  const { records = 4, rules = [], meddle } = settings;
  const sandbox = await startWithMonitoring({ faults: { rules } });
  const service = await watchService(sandbox, meddle);
  const folder = newFolder();
  const input = put(folder, 'reviews.jsonl', lines(reviews(records)));
  const connection = { ...sandbox, baseUrl: service.baseUrl, timeoutMs: SETTLE_MS };
  const stateDir = path.join(folder, 'state');
  const shown = async () => {
    await service.idle();
    return (await shownDocuments(sandbox)).map(({ sourceId }) => sourceId).toSorted();
  };
  const run = async (more: Partial<ImportOptions> = {}): Promise<Report> => {
    const importing = importDocuments({
      ...{ input, mapping: MAPPING, monitoring: 1, connection, throwOn: 'never' },
      ...(more.state === undefined ? { stateDir } : { state: more.state }),
      ...{ batchSize: 1, concurrency: 1, quietMs: SETTLE_MS, lookForMs: 2 * SETTLE_MS },
      // On a busy machine, not even the check of the access is answered within the timeout.
      maxOutageAtStartMs: 10 * SETTLE_MS,
      ...more,
    });
    const accepted: string[] = [];
    for await (const event of importing) {
      if (event.type !== 'outcome' || event.outcome !== 'accepted') continue;
      accepted.push(...event.records.flatMap(({ sourceId }) => sourceId ?? []));
    }
    const report = await importing;
    checkReport(report);
    expect(repeated(accepted), 'accepted twice').toEqual([]);
    // A service may show late what it has taken.
    await vi.waitFor(async () =>
      expect(await shown(), 'accepted, and there').toEqual(expect.arrayContaining(accepted)),
    );
    return report;
  };
  const sent = () => service.imports.flatMap(({ ids }) => ids);
  return { folder, stateDir, sandbox, service, connection, run, shown, sent };
}

const SCHEMA = JSON.parse(readFileSync(path.join(ROOT, 'schemas/report.schema.json'), 'utf8'));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(SCHEMA);

/** What holds for every report: its schema, the sum rule, and the exit code that README gives it. */
export function checkReport(report: Report): void {
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  const { counts, inputs, unknown, exitCode } = report;
  const { read, ...outcomes } = counts;
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
  expect(sum, 'the sum rule').toBe(read);
  for (const [outcome, count] of Object.entries(counts)) {
    const ofInputs = inputs.map((input) => input.counts[outcome as keyof typeof counts]);
    expect(
      ofInputs.reduce((total, one) => total + one, 0),
      `${outcome} by input`,
    ).toBe(count);
  }
  const listed = unknown.reduce((total, { from, to }) => total + to - from + 1, 0);
  expect(listed, 'unknown records that are listed').toBe(counts.unknown);
  expect(exitCode, 'exit code').toBe(promisedExitCode(report));
}

function promisedExitCode({ stop, counts }: Report): number {
  if (stop?.kind === 'interrupted') return 130;
  if (stop?.kind === 'no-access') return 3;
  if (stop !== null || counts.unsent > 0) return 4;
  if (counts.unknown > 0) return 5;
  return counts.invalid + counts.rejected > 0 ? 1 : 0;
}
