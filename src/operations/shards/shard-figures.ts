/** Figures and rejects of shards, and how they are merged into those of the whole import. */
import { type AbsentColumns, intersectAbsent } from '../../coverage/absent-columns.js';
import { Survey, type SurveySummary } from '../../coverage/survey.js';
import type { StopReport } from '../../outcomes/stop-conditions.js';
import { Tally, type TallySnapshot } from '../../outcomes/tally.js';
import { rejectsAsLines } from '../../report/rejects/reject-lines.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { RunFigures } from '../pipeline/close-figures.js';
import { DeliveryLog, type DeliverySnapshot } from '../pipeline/delivery-log.js';

type PlainFigures = Pick<
  RunFigures,
  'records' | 'absent' | 'batches' | 'retries' | 'notices' | 'readToEnd' | 'stop'
>;

/** Figures of one shard as plain JSON. */
export interface ShardFigures extends PlainFigures {
  readonly tally: TallySnapshot;
  readonly delivery: DeliverySnapshot;
  readonly survey: SurveySummary | null;
}

export function shardFigures({
  tally,
  delivery,
  survey,
  rejects: _,
  lacksRejects: __,
  ...plain
}: RunFigures): ShardFigures {
  return {
    ...plain,
    tally: tally.snapshot(),
    delivery: delivery.snapshot(),
    survey: survey?.summary() ?? null,
  };
}

/** Facts of the whole import that its shards don't report. */
interface WholeImport {
  readonly inputs: readonly string[];
  readonly plan: Pick<TransformPlan, 'surveys'>;
  /** In milliseconds since 1970. */
  readonly startedMs: number;
}

/**
 * Merges the figures of all shards, one at a time.
 * @param shards in the order of inputs and positions
 */
export async function mergeShards(
  shards: AsyncIterable<ShardFigures> | Iterable<ShardFigures>,
  whole: WholeImport,
): Promise<RunFigures> {
  const tally = new Tally(whole.inputs);
  const delivery = new DeliveryLog(whole.startedMs);
  const survey = new Survey();
  const records = whole.inputs.map(() => 0);
  const absent: (AbsentColumns | null)[] = whole.inputs.map(() => null);
  // Processes read the same mapping, so their notices repeat.
  const notices = new Set<string>();
  let readToEnd = true;
  let stop: StopReport | null = null;
  let [batches, retries] = [0, 0];
  for await (const shard of shards) {
    tally.merge(shard.tally);
    delivery.merge(shard.delivery);
    if (shard.survey !== null) survey.merge(shard.survey);
    for (const [input, read] of shard.records.entries())
      records[input] = (records[input] ?? 0) + read;
    for (const [input, columns] of shard.absent.entries()) {
      absent[input] = intersectAbsent(absent[input] ?? null, columns);
    }
    for (const notice of shard.notices) notices.add(notice);
    readToEnd &&= shard.readToEnd;
    stop = causeOf(stop, shard.stop);
    batches += shard.batches;
    retries += shard.retries;
  }
  return {
    tally,
    delivery,
    records,
    absent,
    batches,
    retries,
    readToEnd,
    stop,
    rejects: [],
    lacksRejects: false,
    survey: whole.plan.surveys ? survey : undefined,
    notices: [...notices],
  };
}

/** Picks the reason that isn't an interruption, as one shard's error interrupts the others. */
function causeOf(one: StopReport | null, other: StopReport | null): StopReport | null {
  const isInterruption = one === null || one.kind === 'interrupted';
  return isInterruption && other !== null && other.kind !== 'interrupted' ? other : (one ?? other);
}

const PAGE_CHARACTERS = 256 * 1024;

/** Stores a page of rejects, as lines of JSON. */
type WritePage = (number: number, lines: string) => Promise<void>;

/** Collects the rejects of a shard, and stores them in pages once it knows where. */
export class ShardRejects {
  readonly writer: RejectsWriter;
  readonly #write: Promise<WritePage>;
  /** Called with the place, before the first record is read. */
  storeWith!: (write: WritePage) => void;
  #lines: string[] = [];
  #characters = 0;
  #pages = 0;
  #written: Promise<void> = Promise.resolve();

  constructor() {
    this.#write = new Promise((resolve) => {
      this.storeWith = resolve;
    });
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
    this.#written = this.#written.then(async () => (await this.#write)(page, lines));
    // A failed write is reported by `flush`.
    this.#written.catch(() => {});
  }
}
