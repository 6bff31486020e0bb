import type { Metric } from '../../model/document.js';
import { OptionError } from '../../model/errors.js';
import type { SourceCode } from '../../service/codes.js';
import type { Location } from '../../service/resources.js';
import { unreadableTimestamps } from './timestamp.js';

/**
 * A message as the service would capture it from a network. Unlike imports, which hold reviews
 * only, it can be a publication, comment or reply, and its author can have a profile.
 */
export interface CapturedDocument {
  readonly source: SourceCode;
  /** Not empty. */
  readonly sourceId: string;
  /** `sourceId` of the message that this one replies to, from the same source. */
  readonly parentSourceId?: string | null;
  readonly title?: string | null;
  readonly text: string;
  readonly imageUrl?: string | null;
  readonly url?: string | null;
  readonly language?: string | null;
  readonly sentiment?: 'B' | 'N' | 'R' | null;
  readonly detectedLocations?: readonly string[];
  readonly citedLocations?: readonly Location[];
  /** Degrees. */
  readonly lat?: number | null;
  /** Degrees. */
  readonly lon?: number | null;
  /** ISO 8601. */
  readonly published: string;
  /** ISO 8601. */
  readonly downloaded: string;
  /** Rankings use `likes`, `comments`, `shares` and `impressions`. */
  readonly metrics?: readonly Metric[];
  /** Ids of tags. */
  readonly tags?: readonly string[];
  /** Ids of users who reviewed it, for the `contributors` filter. */
  readonly reviewers?: readonly number[];
  readonly author: CapturedAuthor;
}

/** An author with a profile. The latest profile replaces earlier ones. */
export interface CapturedAuthor {
  /** Default: the source of the document. */
  readonly source?: SourceCode;
  /** Identifies the author, together with `source`. */
  readonly sourceId: string;
  readonly username?: string | null;
  readonly name?: string;
  readonly authorUrl?: string;
  readonly imageUrl?: string;
  readonly isVerified?: boolean;
  readonly personalUrl?: string;
  readonly about?: string;
  readonly declaredLocation?: string | null;
  readonly authorLocations?: readonly Location[];
  /** Rankings use `followers`. */
  readonly metrics?: readonly Metric[];
  /** Ids of tags of the author. */
  readonly tags?: readonly string[];
}

/**
 * Checks what the types of a program's documents can't ensure, and fills in the source of each
 * author.
 * @throws OptionError with all mistakes
 */
export function checkCaptured(documents: readonly CapturedDocument[]): CapturedDocument[] {
  const nameless = documents.flatMap(({ sourceId, author }, at) => [
    ...(sourceId ? [] : [`documents[${at}].sourceId is missing or empty.`]),
    ...(author?.sourceId ? [] : [`documents[${at}].author.sourceId is missing or empty.`]),
  ]);
  const mistakes = [...nameless, ...unreadableTimestamps(documents)];
  if (mistakes.length > 0) throw new OptionError(mistakes.join('\n'));
  return documents.map((each) => ({
    ...each,
    author: { ...each.author, source: each.author.source ?? each.source },
  }));
}
