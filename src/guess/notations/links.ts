/** What the web addresses of a column lead to, where that is no review. */
import type { ColumnProfile } from '../profile-column.js';

/** From this share of the addresses on, they lead there. */
const MAJORITY = 0.5;

const TARGETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'an image',
    /\.(?:jpe?g|png|gif|webp|svg|avif)(?:[?#]|$)|^https?:\/\/(?:img|images?|photos?|avatars?)\d*\./iu,
  ],
  [
    'an API',
    /^https?:\/\/(?:[\w-]+[.-])?api\d*[.-]|\/(?:api|rest|graphql)(?:[/?]|$)|\/v\d+\/|\.(?:json|xml)(?:[?#]|$)/iu,
  ],
  ['the author', /\/(?:users?|profiles?|members?|authors?|people|u|account)\//iu],
];

/** See the top of this file; nothing where the addresses don't say. */
export function linkTarget({ filled, concepts }: ColumnProfile): string | undefined {
  const found = TARGETS.find(
    ([, pattern]) => filled.filter((text) => pattern.test(text)).length > filled.length * MAJORITY,
  );
  if (found !== undefined) return found[0];
  if (concepts.has('image')) return 'an image';
  return concepts.has('author') && !concepts.has('review') ? 'the author' : undefined;
}
