import { OptionError } from '../model/errors.js';
import { readMoment } from './moment.js';
import type { Moment } from './queries.js';
import { showValue } from './show-value.js';

const CURSOR = /^\d{14}\.\d+$/;

/**
 * The cursor from which the feed gives what was downloaded at this moment or later:
 * `yyyyMMddHHmmss.0` in GMT (reference, "POST /documents/feed"). Parts of seconds are cut off, and
 * text without an offset is UTC.
 * @param name what a message calls the moment
 * @throws OptionError if the moment can't be read
 */
export function cursorAt(moment: Moment, name = 'moment'): string {
  return `${readMoment(name, moment).replace(/\D/g, '')}.0`;
}

/** Refuses what the service can't have given as a `nextCursor`, and {@link cursorAt} neither. */
export function checkCursor(cursor: string): void {
  if (typeof cursor === 'string' && CURSOR.test(cursor)) return;
  throw new OptionError(
    `cursor: ${showValue(cursor)} is no cursor; expected the nextCursor of a page of the feed, or one made by cursorAt, such as "20240531183000.0".`,
  );
}
