import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OutputError } from '../../outputs/output-file.js';
import type { RunEvent } from '../../report/report.js';

const STDOUT = 1;
/** How long to wait for a reader that has no room, in milliseconds. */
const FULL_MS = 10;

const writeSome = promisify(write);

/**
 * Prints events on stdout, one a line as JSON, and waits for a slow reader without standing still:
 * answers of the service are taken meanwhile. A reader that has left wants no more.
 */
export async function printEvents(events: AsyncIterable<RunEvent>): Promise<void> {
  let isRead = true;
  for await (const event of events) {
    if (isRead) isRead = await printWhole(Buffer.from(`${JSON.stringify(event)}\n`));
  }
}

/** @returns whether somebody still reads */
async function printWhole(bytes: Buffer): Promise<boolean> {
  let printed = 0;
  while (printed < bytes.length) {
    try {
      const { bytesWritten } = await writeSome(STDOUT, bytes, printed);
      printed += bytesWritten;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw new OutputError('stdout', error);
      await wait(FULL_MS);
    }
  }
  return true;
}
