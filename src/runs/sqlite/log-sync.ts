import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Windows lets only those wait for the disk who may write. */
const FLAGS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/**
 * Waits until the disk has a database's write-ahead log, while the thread goes on. SQLite itself
 * blocks the thread for it, and on a busy machine the disk takes milliseconds.
 *
 * SQLite holds no lock on the log, so that this descriptor may be closed at any time (see
 * `makePrivateFile`). Nobody removes or replaces the log while a connection to it is open.
 */
export class LogSync {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param database the database's file */
  constructor(database: string) {
    this.#file = `${database}-wal`;
  }

  /**
   * Resolves once the disk has all that was written until now. Whoever asks while the disk is busy
   * waits for its next turn, together with all others who do.
   * @throws (rejects) what the system says of the file
   */
  synced(): Promise<void> {
    this.#next ??= this.#takeTurn();
    return this.#next;
  }

  /** Releases the file once the disk is done with it. */
  close(): void {
    void this.#closeAfter(this.#next ?? this.#current);
  }

  async #takeTurn(): Promise<void> {
    // It began before this was asked for: what it says is of no use here, not even its error.
    await this.#current?.catch(() => {});
    this.#current = this.#next;
    this.#next = undefined;
    this.#handle ??= await open(this.#file, FLAGS);
    await this.#handle.datasync();
  }

  async #closeAfter(turn: Promise<void> | undefined): Promise<void> {
    await turn?.catch(() => {});
    await this.#handle?.close().catch(() => {});
  }
}
