import { existsSync, mkdirSync, rmSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ResumeError } from '../../model/errors.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../description.js';
import type { RunStore, StoredRun } from '../store.js';
import { damaged, journalError } from './damage.js';
import { readStates } from './entries.js';
import { readFact } from './facts.js';
import { Journal } from './journal.js';
import { type HashedLedger, LedgerFile } from './ledger.js';
import { folderOf, journalOf, runIdsIn, sealOf } from './run-files.js';
import { isLocked, type RunLock, takeLock, takeLockSoon } from './run-lock.js';
import { type LockRequest, lockTarget } from './target-lock.js';

/** Runs in a folder, each with a journal and a lock of its own, and a ledger beside them. */
export class SqliteStore implements RunStore {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  async list(): Promise<readonly string[]> {
    return this.#ids();
  }

  async isRunning(id: string): Promise<boolean> {
    return this.#isHeld(id);
  }

  async look<T>(id: string, look: (run: StoredRun) => Promise<T>): Promise<T> {
    this.#checkId(id);
    const journal = this.#open(id);
    try {
      return await look(journal);
    } finally {
      journal.close();
    }
  }

  /** Makes sure that no other run sends to a target until the lock is released. */
  async lockTarget(request: LockRequest): Promise<RunLock> {
    return await lockTarget(this.#stateDir, request);
  }

  /** Begins a run, and holds it for this process. */
  async begin(id: string, description: RunDescription): Promise<StoredRun> {
    makeFolder(this.#folderOf(id));
    // Those who list runs are in its way for a moment.
    const lock = await takeLockSoon(this.#lockOf(id));
    return this.#hold(id, lock, (journal) => journal.begin(description));
  }

  async take(id: string): Promise<StoredRun> {
    this.#checkId(id);
    const lock = await takeLockSoon(this.#lockOf(id));
    return this.#hold(id, lock, (journal) => journal.check());
  }

  async openLedger(target: RunTarget, run: string): Promise<HashedLedger | undefined> {
    const ledger = this.#remember(run);
    if (!ledger.knowsNothingOf(target)) return ledger.of(target);
    ledger.close();
    return undefined;
  }

  /**
   * Removes runs that have nothing left to do and began by some moment, unless a process has them;
   * the ledger takes in before what they sent.
   * @param moment in milliseconds since 1970
   * @returns the ids of those that are gone, and how many are left
   */
  prune(moment: number, choice: PruneChoice = {}): Pruning {
    const ids = this.#ids();
    if (ids.length === 0) return { removed: [], kept: 0 };
    const ledger = this.#remember();
    try {
      const chosen = this.#chosen(ids, choice);
      const removed = chosen.filter((id) => this.#removeIfDone(id, moment, ledger));
      return { removed, kept: ids.length - removed.length };
    } finally {
      ledger.close();
    }
  }

  #chosen(ids: readonly string[], { inputs, keepLatest = 0 }: PruneChoice): readonly string[] {
    const chosen =
      inputs === undefined
        ? ids
        : ids.filter((id) => {
            const description = this.#lookNow(id, ({ database }) => descriptionIn(database));
            return description?.inputs.some(({ name }) => inputs.includes(name));
          });
    return chosen.slice(0, Math.max(0, chosen.length - keepLatest));
  }

  #ids(): readonly string[] {
    return runIdsIn(this.#stateDir);
  }

  /** The ledger, with all that journals say which it doesn't know yet. */
  #remember(except?: string): LedgerFile {
    const ledger = new LedgerFile(path.join(this.#stateDir, 'ledger.db'));
    try {
      for (const run of this.#ids()) {
        // Before it is opened, which itself may touch its files.
        const stamp = stampOf(this.#statsOf(run));
        if (run === except || ledger.has(run, stamp)) continue;
        this.#lookNow(run, ({ database }) => ledger.takeIn({ run, stamp }, database));
      }
      ledger.seal();
      return ledger;
    } catch (error) {
      ledger.close();
      throw error;
    }
  }

  /** One that left something undone is kept, unless it never sent anything: then nothing is lost. */
  #removeIfDone(id: string, moment: number, ledger: LedgerFile): boolean {
    const lock = takeLock(this.#lockOf(id));
    if (lock === undefined) return false;
    try {
      const isDone = this.#lookNow(id, ({ database }) => {
        const description = descriptionIn(database);
        if (Date.parse(description?.started ?? startIn(id)) > moment) return false;
        const report = readFact<{ readonly resumable: boolean }>(database, 'report');
        if (report !== undefined) return !report.resumable || readStates(database).isEmpty;
        if (readStates(database).isEmpty) return true;
        // Nobody can resume it, and others have found out about what it has left.
        const isOver = description !== undefined && !isRepeatable(description);
        return isOver && !ledger.isUnconfirmed(id);
      });
      if (!isDone) return false;
      // Without it, there is no run; whoever waited for the lock finds that.
      const journal = this.#fileOf(id);
      for (const file of [sealOf(journal), journal, `${journal}-wal`, `${journal}-shm`]) {
        rmSync(file, { force: true });
      }
    } finally {
      lock.release();
    }
    rmSync(this.#folderOf(id), { recursive: true, force: true });
    return true;
  }

  #checkId(id: string): void {
    const known = this.#ids();
    if (known.includes(id)) return;
    const latest = known.at(-1);
    const hint =
      latest === undefined
        ? 'there are none'
        : `the latest is ${latest}, and \`docferry runs list\` shows all`;
    throw new ResumeError(
      `There is no run ${JSON.stringify(id)} in ${this.#stateDir}: ${hint}. Another folder is named with --state-dir.`,
    );
  }

  #isHeld(id: string): boolean {
    return isLocked(this.#lockOf(id));
  }

  #hold(id: string, lock: RunLock | undefined, start: (journal: Journal) => void): Journal {
    if (lock === undefined) {
      throw new ResumeError(
        `The run ${id} is running in another process: wait until that ends, or end it.`,
      );
    }
    try {
      return this.#open(id, { lock, start });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #lookNow<T>(id: string, look: (journal: Journal) => T): T {
    const journal = this.#open(id);
    try {
      return look(journal);
    } finally {
      journal.close();
    }
  }

  /** @throws JournalError also if it is another run's */
  #open(
    id: string,
    held?: { readonly lock: RunLock; readonly start: (journal: Journal) => void },
  ): Journal {
    const touchedMs = Math.max(...this.#statsOf(id).map((found) => found?.mtimeMs ?? 0));
    const onRelease = (): void => held?.lock.release();
    const journal = new Journal(this.#fileOf(id), { id, touchedMs, onRelease });
    try {
      checkName(journal);
      held?.start(journal);
      return journal;
    } catch (error) {
      journal.close();
      throw error;
    }
  }

  /** Of a journal and its log. */
  #statsOf(id: string): readonly (Stats | undefined)[] {
    const file = this.#fileOf(id);
    return [file, `${file}-wal`].map((name) => statSync(name, { throwIfNoEntry: false }));
  }

  #folderOf(id: string): string {
    return folderOf(this.#stateDir, id);
  }

  #fileOf(id: string): string {
    return journalOf(this.#stateDir, id);
  }

  #lockOf(id: string): string {
    return path.join(this.#folderOf(id), 'lock');
  }
}

/** Which runs are removed. */
export interface PruneChoice {
  /** Names of inputs: only runs of these; default: all runs. */
  readonly inputs?: readonly string[] | undefined;
  /** How many of the latest of them stay in any case; default 0. */
  readonly keepLatest?: number | undefined;
}

interface Pruning {
  readonly removed: readonly string[];
  readonly kept: number;
}

function descriptionIn(database: Journal['database']): RunDescription | undefined {
  return readFact<RunDescription>(database, 'description');
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw journalError(folder, error);
  }
}

function checkName({ id, database }: Journal): void {
  const run = readFact<string>(database, 'run');
  if (run === id) return;
  if (run !== undefined) throw damaged(database.file, `it is the journal of the run ${run}`);
  if (existsSync(sealOf(database.file))) {
    throw damaged(database.file, 'it no longer says what run it is');
  }
}

/** A text that is another one once something was added to a run's journal. */
function stampOf(stats: readonly (Stats | undefined)[]): string {
  return stats
    .map((found) => (found === undefined ? '-' : `${found.size} ${found.mtimeMs}`))
    .join(', ');
}

/** When a run began that was cut off before that was written: its name says it, in UTC. */
function startIn(id: string): string {
  return id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-.*$/, '$1-$2-$3T$4:$5:$6Z');
}
