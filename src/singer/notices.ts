import { count, thousands } from '../model/figures.js';
import { OUTCOMES } from '../model/record.js';
import type { ImportRun } from '../operations/pipeline/import-run.js';
import type { StreamEnd } from './epoch.js';
import type { Message } from './messages.js';

/** So many kinds of things are told once each; a tap with more makes them up. */
const MAX_TOLD = 100;

/** How often a run is asked what it has to say, in milliseconds. */
const NOTICES_MS = 1_000;

/** Tells a person what a target doesn't do, once each, and how far it is. */
export class Notices {
  readonly #say: (message: string) => void;
  readonly #told = new Set<string>();

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  /** A message that an import has no use for. */
  unused(message: Message, line: number): void {
    if (message.type === 'ACTIVATE_VERSION') {
      this.#once(
        'ACTIVATE_VERSION',
        `Line ${line}: the tap sends ACTIVATE_VERSION. Documents that were imported can't be deleted, so those of earlier versions stay.`,
      );
    } else if (message.type === 'other') {
      const name = JSON.stringify(message.name);
      this.#once(name, `Line ${line}: messages of the type ${name} are passed over.`);
    }
  }

  /** A stream that is not imported. */
  skipped(stream: string, line: number): void {
    const name = JSON.stringify(stream);
    this.#once(
      `stream ${name}`,
      `Line ${line}: the stream ${name} is not in the config, and is skipped.`,
    );
  }

  /**
   * An epoch has ended well.
   * @param stateLine where the state stood that was written; `undefined`: none was
   */
  epoch(number: number, ends: readonly StreamEnd[], stateLine: number | undefined): void {
    for (const { stream, report } of ends) this.#ofRun(stream, report.notices);
    const streams = ends.map((end) => `${end.stream}: ${countsText(end.report.counts)}`);
    const state =
      stateLine === undefined
        ? 'no state came'
        : `the state of line ${thousands(stateLine)} is written`;
    if (ends.length > 0) this.#say(`Epoch ${number}: ${streams.join('; ')}; ${state}.`);
  }

  /** Tells what a run says while it is running: it may wait for long, and says why. */
  follow(stream: string, run: ImportRun): void {
    const timer = setInterval(() => this.#ofRun(stream, run.notices() ?? []), NOTICES_MS);
    const end = (): void => clearInterval(timer);
    run.then(end, end);
  }

  #ofRun(stream: string, notices: readonly string[]): void {
    for (const notice of notices) this.#once(`${stream} ${notice}`, `${stream}: ${notice}`);
  }

  #once(key: string, message: string): void {
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#say(message);
  }
}

/** `1,200 records, 1,190 accepted, 10 duplicate` */
export function countsText(counts: StreamEnd['report']['counts']): string {
  const outcomes = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const each = outcomes.map((outcome) => `${thousands(counts[outcome])} ${outcome}`);
  return [count(counts.read, 'record'), ...each].join(', ');
}
