/** Checks whether the documents of a sample are plausible as a whole, and asks about oddities. */

import { detectLanguage } from '../mapping/steps/text.js';
import type { ImportedDocument } from '../model/document.js';
import { thousands } from '../model/figures.js';
import { siblingsOf } from './notations/known-values.js';
import { frequencies } from './ranking.js';
import { quoted, sharePercent } from './rules/draft.js';

/** Result of mapping a sample. */
export interface SampleOutcome {
  readonly read: number;
  readonly skipped: number;
  /** Number of further documents with the made id of an earlier one. */
  readonly repeated: number;
  /** Number of these whose records differ from the earlier one's. */
  readonly merged: number;
  /** Valid documents, each id once. */
  readonly documents: readonly ImportedDocument[];
}

/** A doubt about a field, raised by how the documents look as a whole. */
export interface Doubt {
  /** Dotted name, for example `metrics.score`. */
  readonly field: string;
  /** As a clause. */
  readonly reason: string;
}

/** Minimum number of documents for most checks. */
const MIN_DOCUMENTS = 8;

interface Check {
  /** Dotted name. */
  readonly field: string;
  /** Number of documents that are enough for it, if not the usual one. */
  readonly from?: number;
  /** Returns the reason to doubt, or `undefined` if the documents look right. */
  readonly doubt: (outcome: SampleOutcome) => string | undefined;
}

/** Raises the doubts of all checks that the documents are enough for. */
export function findDoubts(outcome: SampleOutcome): readonly Doubt[] {
  return CHECKS.flatMap(({ field, from = MIN_DOCUMENTS, doubt }) => {
    const reason = outcome.documents.length < from ? undefined : doubt(outcome);
    return reason === undefined ? [] : [{ field, reason }];
  });
}

/** UTF-8 that was read in another encoding: `Ã¼`, `â€™`, `Ð°Ñ`. */
export const GARBLED = /[ÃÂ][\u0080-\u00bf]|â€|(?:[ÐÑ][\u0080-\u00bf]){2}|\ufffd/u;
/** A list or an object, as a program writes it. */
const STRUCTURE = /^[[{]\s*["'][\s\S]*[\]}]$/u;
const DAY_MS = 86_400_000;
/** First year of reviews on the web. */
const FIRST_YEAR = '1995';

const documentText = ({ text }: ImportedDocument): string | undefined => text;
const publishedOf = ({ published }: ImportedDocument): string | undefined => published;

const CHECKS: readonly Check[] = [
  { field: 'metrics.score', doubt: narrowScores },
  { field: 'sentiment', doubt: reversedSentiment },
  { field: 'text', doubt: mostlyOne(documentText, 0.2, 'texts are') },
  {
    field: 'text',
    from: 1,
    doubt: someOdd(documentText, (text) => STRUCTURE.test(text), 0.05, 'are data for programs'),
  },
  {
    field: 'text',
    from: 1,
    doubt: someOdd(
      documentText,
      (text) => GARBLED.test(text),
      0.05,
      'look garbled, as in another encoding (--encoding)',
    ),
  },
  { field: 'text', doubt: manySkipped },
  {
    field: 'author.username',
    doubt: mostlyOne(({ author }) => author?.username, 0.9, 'reviews have'),
  },
  {
    field: 'author.sourceId',
    doubt: mostlyOne(({ author }) => author?.sourceId, 0.9, 'reviews have'),
  },
  // Such a date is rather that of an export.
  { field: 'published', doubt: mostlyOne((one) => one.published?.slice(0, 10), 0.8, 'dates are') },
  {
    field: 'published',
    from: 1,
    doubt: someOdd(
      publishedOf,
      (day) => day < FIRST_YEAR || day > new Date(Date.now() + DAY_MS).toISOString(),
      0.01,
      `are in the future or before ${FIRST_YEAR}`,
    ),
  },
  { field: 'language', doubt: otherLanguage },
  { field: 'sourceId', from: 1, doubt: repeatedIds },
];

type Value = (document: ImportedDocument) => string | undefined;

/** Doubts a value that more than a share of the documents have. */
function mostlyOne(read: Value, share: number, are: string): Check['doubt'] {
  return ({ documents }) => {
    const values = documents.flatMap((document) => read(document) ?? []);
    const [value, times] = frequencies(values)[0] ?? ['', 0];
    if (values.length < MIN_DOCUMENTS || times <= Math.max(2, values.length * share)) {
      return undefined;
    }
    return `${thousands(times)} of ${thousands(values.length)} ${are} ${quoted(value)}`;
  };
}

/** Doubts values if more than a share of them are odd: a few authors may write like that. */
function someOdd(
  read: Value,
  isOdd: (value: string) => boolean,
  share: number,
  are: string,
): Check['doubt'] {
  return ({ documents }) => {
    const values = documents.flatMap((document) => read(document) ?? []);
    const odd = values.filter(isOdd);
    if (odd.length <= values.length * share) return undefined;
    return `${thousands(odd.length)} of ${thousands(values.length)} ${are}, for example ${quoted(odd[0] ?? '')}`;
  };
}

function scoresOf({ documents }: Pick<SampleOutcome, 'documents'>): readonly number[] {
  return documents.flatMap(
    ({ metrics }) => metrics?.find(({ name }) => name === 'score')?.value ?? [],
  );
}

/** Width of a range of scores, of 4, too narrow for people's votes. */
const NARROW = 0.5;

function narrowScores(outcome: SampleOutcome): string | undefined {
  const scores = scoresOf(outcome);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  if (scores.length < MIN_DOCUMENTS || most - least >= NARROW) return undefined;
  return least === most
    ? `all ${thousands(scores.length)} scores are ${least}`
    : `all scores are between ${least} and ${most}, of 1 to 5`;
}

function reversedSentiment({ documents }: SampleOutcome): string | undefined {
  const mean = (label: string): number => {
    const scores = scoresOf({
      documents: documents.filter(({ sentiment }) => sentiment === label),
    });
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  return mean('B') < mean('R')
    ? 'reviews with the sentiment B have lower scores than those with R'
    : undefined;
}

function manySkipped({ read, skipped }: SampleOutcome): string | undefined {
  if (skipped <= read / 2) return undefined;
  return `${sharePercent(skipped / read)} of the records are skipped because their text is blank`;
}

/** Minimum length in characters for reliable detection, and number of such texts examined. */
const LONG_TEXT = 80;
const MAX_TEXTS = 100;

function otherLanguage({ documents }: SampleOutcome): string | undefined {
  const long = documents.filter(({ text = '', language }) => language && text.length >= LONG_TEXT);
  const pairs = long.slice(0, MAX_TEXTS).flatMap(({ text = '', language = '' }) => {
    const detected = detectLanguage(text.slice(0, 1000));
    return detected === undefined ? [] : [[language, detected] as const];
  });
  const odd = pairs.filter(
    ([stated, detected]) => stated !== detected && !siblingsOf(stated).includes(detected),
  );
  const [first] = odd;
  if (first === undefined || pairs.length < MIN_DOCUMENTS || odd.length < pairs.length / 2) {
    return undefined;
  }
  return `${odd.length} of ${pairs.length} long texts seem to be in a different one, for example ${first[1]} instead of ${first[0]}`;
}

/** Doubts a made id that different records share, or that equal records share too often. */
function repeatedIds({ documents, repeated, merged }: SampleOutcome): string | undefined {
  const all = documents.length + repeated;
  if (merged === 0 && repeated <= Math.max(2, all * 0.02)) return undefined;
  return `${thousands(repeated)} of ${thousands(all)} reviews ${repeated === 1 ? 'shares' : 'share'} the id of a different review`;
}
