import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DocferryError, MappingError } from '../model/errors.js';

/** What the studio answers instead of doing what it was asked. */
export class StudioRefusal extends Error {
  readonly status: ContentfulStatusCode;
  /** What the page gets beside the sentence. */
  readonly details: object;

  constructor(status: ContentfulStatusCode, message: string, details: object = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** What an answer says of a failure; a mapping's mistakes come with their places. */
export function refusalOf(error: unknown): StudioRefusal {
  if (error instanceof StudioRefusal) return error;
  if (error instanceof MappingError) {
    return new StudioRefusal(422, error.message, { mistakes: error.mistakes });
  }
  if (error instanceof DocferryError) return new StudioRefusal(422, error.message);
  process.emitWarning(`The studio failed: ${detail(error)}`);
  return new StudioRefusal(500, 'The studio failed; the terminal in which it runs says why.');
}

function detail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
