/**
 * Numbers of intents and outcomes. The session that writes them makes them itself, unique across
 * runs, so that a commit that was cut off can be told from one that never was.
 */

/** 2^23 sessions with 2^30 numbers each: together what a number holds exactly. */
const NUMBERS_OF_A_SESSION = 2 ** 30;
const MAX_SESSIONS = 2 ** 23;

/** Gives one number after the other. */
export class IntentNumbers {
  #next: number;
  readonly #end: number;

  constructor(session: number) {
    if (session >= MAX_SESSIONS) throw new Error(`Session ${session} has no numbers left.`);
    this.#next = session * NUMBERS_OF_A_SESSION;
    this.#end = this.#next + NUMBERS_OF_A_SESSION;
  }

  next(): number {
    if (this.#next === this.#end) throw new Error('A session has used up its numbers.');
    this.#next += 1;
    return this.#next - 1;
  }
}
