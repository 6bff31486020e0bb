import { type PagePort, pause } from './port.js';
import { readWindow } from './read-window.js';
import { type Findings, Register, type Sent } from './register.js';

/** What a comparison needs to know beside its port. */
export interface ComparisonSettings {
  /** The `source` that the documents were sent with. */
  readonly source: string;
  /** How long to read again while something is missing or unread, in milliseconds; 0: read once. */
  readonly giveUpMs: number;
  /** Most examples of extra documents. */
  readonly examples: number;
}

/** What the service shows of what it acknowledged, and whether all of that could be read. */
export interface Comparison extends Findings {
  /**
   * Why not all was read, as half a sentence: then what is missing may be there all the same.
   * `null`: all was read.
   */
  readonly incomplete: string | null;
}

const PAUSE_MS = 5_000;

/**
 * Compares what was acknowledged with what the service shows between the first and the last
 * `published` of it. Holds every sourceId, and a number for every document that shows: some 100 MB
 * for a million.
 */
export async function compareAcknowledged(
  acknowledged: AsyncIterable<Sent>,
  { source, giveUpMs, examples }: ComparisonSettings,
  port: PagePort,
): Promise<Comparison> {
  const register = new Register(source, examples);
  for await (const sent of acknowledged) register.expect(sent);
  const untilMs = port.clock.now() + giveUpMs;
  let incomplete: string | null = null;
  while (register.size > 0) {
    register.forgetShown();
    const reading = await readWindow(register.window, port, register.see);
    incomplete = reading.complete ? null : reading.message;
    const done = reading.complete ? register.allShown : reading.ended;
    if (done || port.clock.now() + PAUSE_MS > untilMs) break;
    await pause(port, PAUSE_MS);
  }
  return { ...register.findings(), incomplete };
}
