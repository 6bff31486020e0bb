/** Reports and rejects of shards, and how they are merged into those of the run. */
import { intersectAbsent } from '../coverage/absent-columns.js';
import type { RequestFigures } from '../coverage/coverage.js';
import { Survey, type SurveySummary } from '../coverage/survey.js';
import { DuplicateProblems, type DuplicatesSnapshot } from '../dedup/duplicates.js';
import { DeliveryLog, type DeliverySnapshot } from '../operations/pipeline/delivery-log.js';
import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import type { RunFigures } from '../operations/pipeline/run-report.js';
import type { StopReport } from '../outcomes/stop-conditions.js';
import { Tally, type TallySnapshot } from '../outcomes/tally.js';
import { OutputError } from '../outputs/output-file.js';
import { rejectsAsLines, writeRejectLines } from '../report/rejects/reject-lines.js';
import type { RejectsReport, RejectsWriter } from '../report/rejects/rejects.js';
import type { TransformPlan } from '../transform/transform-record.js';
import type { PostgresStore } from './postgres/store.js';

type PlainFigures = Pick<
  RunFigures,
  'records' | 'absent' | 'batches' | 'retries' | 'notices' | 'rejects' | 'readToEnd' | 'stop'
>;

/** Figures of one shard as plain JSON. */
export interface ShardReport extends PlainFigures {
  readonly tally: TallySnapshot;
  readonly duplicates: DuplicatesSnapshot;
  readonly delivery: DeliverySnapshot;
  readonly survey: { readonly documents: SurveySummary; readonly requests: RequestFigures } | null;
}

export function shardReport({
  tally,
  duplicates,
  delivery,
  survey,
  ...plain
}: RunFigures): ShardReport {
  return {
    ...plain,
    tally: tally.snapshot(),
    duplicates: duplicates.snapshot(),
    delivery: delivery.snapshot(),
    survey:
      survey === undefined
        ? null
        : { documents: survey.documents.summary(), requests: survey.requests },
  };
}

/** Facts of the whole run that its shards don't report. */
interface WholeRun {
  readonly inputs: readonly string[];
  readonly transform: Pick<TransformPlan, 'surveys'>;
  /** In milliseconds since 1970. */
  readonly startedMs: number;
  /** Notices from before the first shard. */
  readonly notices: readonly string[];
  /** Reason that stopped the run from outside its shards. */
  readonly stop: StopReport | null;
  /** `false` if parts of the inputs were never started. */
  readonly isCovered: boolean;
}

/**
 * Merges the figures of all shards.
 * @param shards in the order of inputs and positions
 */
export function mergeShards(shards: readonly ShardReport[], whole: WholeRun): RunFigures {
  const tally = new Tally(whole.inputs);
  const duplicates = new DuplicateProblems([]);
  const delivery = new DeliveryLog(whole.startedMs);
  for (const shard of shards) {
    tally.merge(shard.tally);
    duplicates.merge(shard.duplicates);
    delivery.merge(shard.delivery);
  }
  return {
    ...{ tally, duplicates, delivery },
    survey: whole.transform.surveys ? mergeSurveys(shards) : undefined,
    records: whole.inputs.map((_, input) => sumOf(shards, ({ records }) => records[input] ?? 0)),
    absent: whole.inputs.map((_, input) =>
      shards.map(({ absent }) => absent[input] ?? null).reduce(intersectAbsent, null),
    ),
    batches: sumOf(shards, ({ batches }) => batches),
    retries: sumOf(shards, ({ retries }) => retries),
    // Workers process the same mapping and inputs, so their notices repeat.
    notices: [...new Set([whole, ...shards].flatMap(({ notices }) => notices))],
    rejects: shards.flatMap(({ rejects }) => rejects),
    readToEnd: whole.isCovered && shards.every((shard) => shard.readToEnd),
    stop: stopOf([whole, ...shards]),
  };
}

function mergeSurveys(shards: readonly ShardReport[]): RunFigures['survey'] {
  const surveys = shards.flatMap(({ survey }) => survey ?? []);
  const documents = new Survey();
  for (const survey of surveys) documents.merge(survey.documents);
  return {
    documents,
    requests: {
      count: sumOf(surveys, ({ requests }) => requests.count),
      bytes: sumOf(surveys, ({ requests }) => requests.bytes),
      largest: Math.max(0, ...surveys.map(({ requests }) => requests.largest)),
    },
  };
}

function sumOf<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0);
}

/** Picks the reason that isn't an interruption, as one shard's error interrupts the others. */
function stopOf(parts: readonly { readonly stop: StopReport | null }[]): StopReport | null {
  const stops = parts.flatMap(({ stop }) => stop ?? []);
  return stops.find(({ kind }) => kind !== 'interrupted') ?? stops[0] ?? null;
}

const PAGE_CHARACTERS = 256 * 1024;

/** Collects the rejects of a shard and stores them in pages. */
export class ShardRejects {
  readonly writer: RejectsWriter;
  readonly #write: (page: number, lines: string) => Promise<void>;
  #lines: string[] = [];
  #characters = 0;
  #pages = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(write: (page: number, lines: string) => Promise<void>) {
    this.#write = write;
    this.writer = rejectsAsLines((line) => this.#add(line));
  }

  /** Writes the current page. Rejects if any write has failed. */
  async flush(): Promise<void> {
    if (this.#lines.length > 0) this.#turnPage();
    await this.#written;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= PAGE_CHARACTERS) this.#turnPage();
  }

  #turnPage(): void {
    const [page, lines] = [this.#pages, this.#lines.join('\n')];
    [this.#pages, this.#lines, this.#characters] = [page + 1, [], 0];
    this.#written = this.#written.then(() => this.#write(page, lines));
    // A failed write is reported by `flush`.
    this.#written.catch(() => {});
  }
}

/** Writes the stored rejects of all shards to the requested files, and returns those. */
export async function writeRejects(
  store: PostgresStore,
  run: number,
  { files, sources, stops }: PreparedRun,
): Promise<readonly RejectsReport[]> {
  const { rejects } = files;
  if (rejects === undefined) return [];
  try {
    await writeRejectLines(linesOf(store.rejects(run)), sources, rejects);
    return rejects.close(stops.reason === undefined);
  } catch (error) {
    stops.stopForOutput(error, OutputError);
    return [];
  }
}

async function* linesOf(pages: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) yield* page.split('\n');
}
