import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { JournalError, ResumeError } from '../../model/errors.js';
import { isRepeatable, type RunDescription, type RunTarget } from '../description.js';
import {
  type Ledger,
  type LockRequest,
  noSuchRun,
  type RunJournal,
  type RunLock,
  type RunStore,
  type StoredDescription,
  type TakenOver,
} from '../store.js';
import { Journal, type JournalLocation } from './journal.js';
import { LedgerFile } from './ledger.js';
import { isLocked, takeLock, tryLockTarget } from './locks.js';
import { checkStateFolder, makePrivateFile, runIdsIn, runPath } from './run-files.js';

/** Maximum wait for processes that only check a run's lock. */
const LOCK_WAIT_MS = 300;

/** Store of runs in a folder: a journal and a lock for each, and a common ledger. */
export class FolderStore implements RunStore, AsyncDisposable {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** Its files are open only while runs are. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async list(): Promise<readonly string[]> {
    return runIdsIn(this.#stateDir);
  }

  async shardCounts(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  async isRunning(id: string): Promise<boolean> {
    return isLocked(this.#lockOf(id));
  }

  async descriptions(monitoring: number): Promise<readonly StoredDescription[]> {
    return runIdsIn(this.#stateDir).flatMap((id) => {
      const description = Journal.describe(this.#journalOf(id));
      return description?.target.monitoring === monitoring ? [{ id, description }] : [];
    });
  }

  async openReadOnly(id: string): Promise<RunJournal> {
    this.#checkId(id);
    return Journal.read(this.#journalOf(id));
  }

  async tryLockTarget(request: LockRequest): Promise<RunLock | string> {
    checkStateFolder(this.#stateDir);
    return tryLockTarget(this.#stateDir, request);
  }

  async begin(id: string, description: RunDescription): Promise<RunJournal> {
    return await this.#hold(id, (place, lock) => Journal.begin(place, description, lock));
  }

  async take(id: string): Promise<RunJournal> {
    this.#checkId(id);
    return await this.#hold(id, Journal.take);
  }

  async openLedger(target: RunTarget, run: string): Promise<Ledger | undefined> {
    const ledger = this.#readLedger(run);
    try {
      return ledger.of(target);
    } catch (error) {
      ledger.close();
      throw error;
    }
  }

  /**
   * Returns nothing if the ledger can't be read: only the runs' own journals count then. A single
   * run isn't added to the ledger again, where it would take back what others have taken over.
   */
  async takenOver(ids: readonly string[]): Promise<ReadonlyMap<string, readonly TakenOver[]>> {
    let ledger: LedgerFile | undefined;
    try {
      ledger = this.#readLedger(ids.length === 1 ? ids[0] : undefined);
      const taken = new Map<string, readonly TakenOver[]>();
      for (const id of ids) {
        const journal = this.#ifThere(id, () => Journal.read(this.#journalOf(id)));
        if (journal !== undefined) taken.set(id, ledger.takenOver(journal));
      }
      return taken;
    } catch (error) {
      if (error instanceof JournalError) return new Map();
      throw error;
    } finally {
      ledger?.close();
    }
  }

  /** Before that, the ledger takes in what they sent. */
  async removeDone(ids: readonly string[], beganBeforeMs: number): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const ledger = this.#readLedger();
    const remove = (id: string): boolean => this.#removeIfDone(id, beganBeforeMs, ledger);
    try {
      const removed = ids.filter((id) => this.#ifThere(id, () => remove(id)) === true);
      // Only now: another process that prunes may have made its lock in the folder again.
      for (const id of removed) rmSync(runPath(this.#stateDir, id), REMOVE_FOLDER);
      return removed;
    } finally {
      ledger.close();
    }
  }

  /** Calls a function on a run; returns `undefined` if another process has pruned it meanwhile. */
  #ifThere<T>(id: string, use: () => T): T | undefined {
    try {
      return use();
    } catch (error) {
      if (runIdsIn(this.#stateDir).includes(id)) throw error;
      return undefined;
    }
  }

  /**
   * Opens the ledger and adds journals that it doesn't include yet. A damaged ledger is rebuilt
   * from them, unless runs were pruned: only the ledger has those.
   */
  #readLedger(except?: string): LedgerFile {
    const file = path.join(this.#stateDir, 'ledger.db');
    const ledger = LedgerFile.open(file, { isReplaceable: !existsSync(this.#prunedFile) });
    try {
      for (const run of runIdsIn(this.#stateDir)) {
        if (run !== except) this.#ifThere(run, () => this.#addTo(ledger, run));
      }
      return ledger;
    } catch (error) {
      ledger.close();
      throw error;
    }
  }

  /** Brings a ledger up to date with a run's journal. */
  #addTo(ledger: LedgerFile, run: string): void {
    const place = this.#journalOf(run);
    const stamp = stampOf(place.file);
    if (!ledger.has(run, stamp)) ledger.addRun(stamp, Journal.read(place));
  }

  /**
   * Removes a run's files unless it left something undone. A run that never sent anything counts as
   * done.
   */
  #removeIfDone(id: string, moment: number, ledger: LedgerFile): boolean {
    const lock = takeLock(this.#lockOf(id));
    if (lock === undefined) return false;
    try {
      // It may have sent more since the ledger was read.
      this.#addTo(ledger, id);
      if (!isDone(Journal.read(this.#journalOf(id)), moment, ledger)) return false;
      makePrivateFile(this.#prunedFile);
      // Without them the run doesn't exist, as a process that waits for the lock will find.
      for (const name of ['progress.json', 'journal.jsonl']) {
        rmSync(runPath(this.#stateDir, id, name), { force: true });
      }
    } finally {
      lock.release();
    }
    return true;
  }

  #checkId(id: string): void {
    const known = runIdsIn(this.#stateDir);
    if (known.includes(id)) return;
    const remedy = 'If it is in another folder, name that with --state-dir.';
    throw noSuchRun(id, this.#stateDir, known, remedy);
  }

  async #hold(
    id: string,
    open: (place: JournalLocation, lock: RunLock) => Promise<Journal>,
  ): Promise<Journal> {
    checkStateFolder(this.#stateDir);
    const lock = takeLock(this.#lockOf(id), LOCK_WAIT_MS);
    if (lock === undefined) {
      throw new ResumeError(`The run ${id} is running: wait until it ends, or stop it.`);
    }
    try {
      return await open(this.#journalOf(id), lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Exists once a run was removed. */
  get #prunedFile(): string {
    return path.join(this.#stateDir, 'pruned');
  }

  #journalOf(id: string): JournalLocation {
    return { file: runPath(this.#stateDir, id, 'journal.jsonl'), id };
  }

  #lockOf(id: string): string {
    return runPath(this.#stateDir, id, 'lock');
  }
}

function isDone({ id, content }: Journal, moment: number, ledger: LedgerFile): boolean {
  const { description, report } = content.facts;
  if (Date.parse(description.started) > moment) return false;
  if (content.states.isEmpty) return true;
  if (report !== undefined) return !report.resumable;
  // It can't be resumed, and other runs have resolved its unconfirmed documents.
  return !isRepeatable(description) && !ledger.isUnconfirmed(id);
}

const REMOVE_FOLDER = { recursive: true, force: true, maxRetries: 3 } as const;

/** Changes whenever a journal is appended to. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.size} ${found.mtimeMs}`;
}
