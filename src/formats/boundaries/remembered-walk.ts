import type { QuoteWalk, SuspectQuote, Walked } from './quote-walk.js';
import type { RecordRules } from './record-rules.js';

/**
 * What a walk has found at the start of a field. What stands behind it is the same for every record
 * that comes by, so that it is walked through once.
 */
interface Step {
  readonly start: number;
  /** Its closing quote; -1 if it isn't quoted, or not closed. */
  readonly close: number;
  /** How many fields it stands for: unquoted ones are passed by together. */
  readonly fields: number;
  /** How the record ends here; `field`: another field follows. */
  readonly outcome: Walked | 'field';
  /** Where the next field starts, the record ends, or what can't stand there stands. */
  readonly next: number;
  /** Whether its closing quote may be the opening quote of another record instead. */
  suspicious: boolean;
  /** A step further on in the same record, and how many fields lie between. */
  ahead: Step | undefined;
  fieldsAhead: number;
  /** The first step from here on that was suspicious when last asked; `null`: there is none. */
  suspect: Step | null | undefined;
}

/**
 * Walks through records as {@link QuoteWalk} does, and remembers what it has seen: however many
 * broken records look ahead over the same bytes, each field is looked at once.
 */
export class RememberedWalk {
  end = 0;
  open = 0;
  after = 0;

  readonly #rules: RecordRules;
  readonly #walk: QuoteWalk;
  readonly #steps = new Map<number, Step>();
  #bytes: Buffer = Buffer.alloc(0);

  /** @param walk takes the single steps, over the same bytes */
  constructor(rules: RecordRules, walk: QuoteWalk) {
    this.#rules = rules;
    this.#walk = walk;
  }

  load(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#steps.clear();
  }

  /** As {@link QuoteWalk.record}. */
  record(start: number, limit: number): Walked {
    const step = this.#reach(this.#step(start), limit);
    this.open = step.start;
    this.after = step.next;
    this.end = step.next;
    if (this.#lastClose(step, start) < limit && !this.#opensBeyond(step, limit)) {
      return step.outcome as Walked;
    }
    this.open = this.#walk.firstQuote(start);
    return 'unclosed';
  }

  /** Whether a record that has been walked through to its end has the right number of fields. */
  fits(start: number): boolean {
    const { step, fields } = this.#furthest(this.#step(start));
    return fields + step.fields === this.#rules.columns;
  }

  /** As {@link QuoteWalk.suspectsOf}, without those that were settled before. */
  *suspectsOf(start: number): Generator<SuspectQuote, void, undefined> {
    for (;;) {
      const step = this.#nextSuspect(this.#step(start));
      if (step === null) return;
      yield { open: step.start, close: step.close };
      step.suspicious = false;
    }
  }

  #step(start: number): Step {
    const known = this.#steps.get(start);
    if (known !== undefined) return known;
    const walk = this.#walk;
    const outcome = this.#take(start);
    const { close } = walk;
    const next = outcome === 'end' ? walk.end : walk.after;
    const step: Step = {
      start,
      close,
      fields: close >= 0 ? 1 : this.#unquotedFields(start, next, outcome),
      outcome,
      next,
      suspicious: walk.suspects.length > 0,
      ahead: undefined,
      fieldsAhead: 0,
      suspect: undefined,
    };
    walk.suspects = [];
    this.#steps.set(start, step);
    return step;
  }

  /** One step of the walk; unquoted fields are passed by up to a quoted one. */
  #take(start: number): Step['outcome'] {
    const walk = this.#walk;
    let outcome = walk.step(start, Number.POSITIVE_INFINITY);
    while (outcome === 'field' && walk.close < 0 && this.#bytes[walk.after] !== this.#rules.quote) {
      outcome = walk.step(walk.after, Number.POSITIVE_INFINITY);
    }
    return outcome;
  }

  #unquotedFields(from: number, to: number, outcome: Step['outcome']): number {
    if (outcome !== 'end' && outcome !== 'field') return 0;
    const { delimiter } = this.#rules;
    const fields = this.#bytes.subarray(from, to);
    let count = outcome === 'end' ? 1 : 0;
    for (let at = fields.indexOf(delimiter); at >= 0; count += 1) {
      at = fields.indexOf(delimiter, at + delimiter.length);
    }
    return count;
  }

  /** Walks from what is known of a record to its end, or until a closing quote is out of reach. */
  #reach(from: Step, limit: number): Step {
    let { step } = this.#furthest(from);
    while (step.outcome === 'field' && step.close < limit) {
      const next = this.#step(step.next);
      step.ahead = next;
      step.fieldsAhead = step.fields;
      step = this.#furthest(next).step;
    }
    return step;
  }

  /** The furthest step known of a record, and how many fields lie before it. */
  #furthest(from: Step): { readonly step: Step; readonly fields: number } {
    const passed: Step[] = [];
    let step = from;
    while (step.ahead !== undefined) {
      passed.push(step);
      step = step.ahead;
    }
    let fields = 0;
    for (const one of passed.toReversed()) {
      fields += one.fieldsAhead;
      one.ahead = step;
      one.fieldsAhead = fields;
    }
    return { step, fields };
  }

  #nextSuspect(from: Step): Step | null {
    const passed: Step[] = [];
    let step: Step | null = from;
    while (step !== null && !step.suspicious) {
      passed.push(step);
      step = step.suspect === undefined ? this.#after(step) : step.suspect;
    }
    for (const one of passed) one.suspect = step;
    return step;
  }

  #after({ outcome, next }: Step): Step | null {
    return outcome === 'field' ? this.#step(next) : null;
  }

  /** The last closing quote on the way to a step, and of it; -1 if there is none. */
  #lastClose({ start, close }: Step, recordStart: number): number {
    if (close >= 0 || start === recordStart) return close;
    return start - this.#rules.delimiter.length - 1;
  }

  /** Whether a quoted field begins here of which no end is known, though it reaches the limit. */
  #opensBeyond({ outcome, close }: Step, limit: number): boolean {
    return (
      (outcome === 'unclosed' || outcome === 'more') && close < 0 && this.#bytes.length >= limit
    );
  }
}
