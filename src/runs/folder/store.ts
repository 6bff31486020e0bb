import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { ResumeError } from '../../model/errors.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../description.js';
import type { RunStore, StoredRun } from '../store.js';
import { journalError } from './damage.js';
import { Journal, type JournalPlace } from './journal.js';
import { type HashedLedger, LedgerFile } from './ledger.js';
import { folderOf, journalOf, makePrivateFile, runIdsIn } from './run-files.js';
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
    return await look(this.#read(id));
  }

  /** Makes sure that no other run sends to a target until the lock is released. */
  async lockTarget(request: LockRequest): Promise<RunLock> {
    return await lockTarget(this.#stateDir, request);
  }

  /** Begins a run, and holds it for this process. */
  async begin(id: string, description: RunDescription): Promise<StoredRun> {
    makeFolder(this.#folderOf(id));
    return await this.#hold(id, (place, lock) => Journal.begin(place, description, lock));
  }

  async take(id: string): Promise<StoredRun> {
    this.#checkId(id);
    return await this.#hold(id, Journal.take);
  }

  async openLedger(target: RunTarget, run: string): Promise<HashedLedger | undefined> {
    const ledger = this.#remember(run).of(target);
    if (ledger.isEmpty) await ledger.close();
    return ledger.isEmpty ? undefined : ledger;
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
            const { description } = this.#read(id).content.facts;
            return description?.inputs.some(({ name }) => inputs.includes(name));
          });
    return chosen.slice(0, Math.max(0, chosen.length - keepLatest));
  }

  #ids(): readonly string[] {
    return runIdsIn(this.#stateDir);
  }

  /**
   * The ledger, with all that journals say which it doesn't know yet. One that is damaged is made
   * again from them, unless runs were pruned, of which only the ledger knows.
   */
  #remember(except?: string): LedgerFile {
    const file = path.join(this.#stateDir, 'ledger.db');
    const ledger = LedgerFile.open(file, { isReplaceable: !existsSync(this.#prunedFile) });
    try {
      for (const run of this.#ids()) {
        if (run === except) continue;
        const stamp = stampOf(this.#fileOf(run));
        if (!ledger.has(run, stamp)) ledger.takeIn(stamp, this.#read(run));
      }
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
      if (!isDone(this.#read(id), moment, ledger)) return false;
      makePrivateFile(this.#prunedFile);
      // Without it, there is no run; whoever waited for the lock finds that.
      for (const name of ['progress.json', 'journal.jsonl']) {
        rmSync(path.join(this.#folderOf(id), name), { force: true });
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

  async #hold(
    id: string,
    open: (place: JournalPlace, lock: RunLock) => Promise<Journal>,
  ): Promise<Journal> {
    // Those who list runs are in its way for a moment.
    const lock = await takeLockSoon(this.#lockOf(id));
    if (lock === undefined) {
      throw new ResumeError(
        `The run ${id} is running in another process: wait until that ends, or end it.`,
      );
    }
    try {
      return await open(this.#placeOf(id), lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #read(id: string): Journal {
    return Journal.read(this.#placeOf(id));
  }

  #placeOf(id: string): JournalPlace {
    return { file: this.#fileOf(id), id };
  }

  /** There once a run was removed. */
  get #prunedFile(): string {
    return path.join(this.#stateDir, 'pruned');
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

function isDone({ id, content }: Journal, moment: number, ledger: LedgerFile): boolean {
  const { facts, states } = content;
  const { description, report } = facts;
  if (description === undefined || Date.parse(description.started) > moment) return false;
  if (states.isEmpty) return true;
  if (report !== undefined) return !report.resumable;
  // Nobody can resume it, and others have found out about what it has left.
  return !isRepeatable(description) && !ledger.isUnconfirmed(id);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw journalError(folder, error);
  }
}

/** A text that is another one once something was added to a journal. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
}
