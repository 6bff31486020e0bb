/** Checks whether the documents of a sample are plausible as a whole, and asks about oddities. */

import { detectLanguage } from '../mapping/steps/text.js';
import type { ImportedDocument } from '../model/document.js';
import { count, thousands } from '../model/figures.js';
import { percent, quoted } from './rules/draft.js';

/** Result of mapping a sample. */
export interface SampleOutcome {
  readonly read: number;
  readonly skipped: number;
  /** Number of further documents with the made id of an earlier one. */
  readonly repeated: number;
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
  readonly field: string;
  /** Number of documents that are enough for it. */
  readonly from: number;
  /** Returns the reason to doubt, or `undefined` if the documents look right. */
  readonly doubt: (outcome: SampleOutcome) => string | undefined;
}

/** Raises the doubts of all checks that the documents are enough for. */
export function findDoubts(outcome: SampleOutcome): readonly Doubt[] {
  return CHECKS.flatMap(({ field, from, doubt }) => {
    const reason = outcome.documents.length < from ? undefined : doubt(outcome);
    return reason === undefined ? [] : [{ field, reason }];
  });
}

const CHECKS: readonly Check[] = [
  { field: 'metrics.score', from: MIN_DOCUMENTS, doubt: narrowScores },
  { field: 'sentiment', from: MIN_DOCUMENTS, doubt: oneSentiment },
  { field: 'sentiment', from: MIN_DOCUMENTS, doubt: reversedSentiment },
  { field: 'text', from: MIN_DOCUMENTS, doubt: sameText },
  { field: 'text', from: 1, doubt: structuredText },
  { field: 'text', from: 1, doubt: garbledText },
  { field: 'text', from: MIN_DOCUMENTS, doubt: manySkipped },
  { field: 'author.username', from: MIN_DOCUMENTS, doubt: oneAuthor('username') },
  { field: 'author.sourceId', from: MIN_DOCUMENTS, doubt: oneAuthor('sourceId') },
  { field: 'published', from: MIN_DOCUMENTS, doubt: oneDay },
  { field: 'published', from: 1, doubt: impossibleDates },
  { field: 'language', from: MIN_DOCUMENTS, doubt: otherLanguage },
  { field: 'sourceId', from: 1, doubt: manyRepeated },
];

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

function oneSentiment(outcome: SampleOutcome): string | undefined {
  const [label, ...others] = new Set(outcome.documents.flatMap(({ sentiment }) => sentiment ?? []));
  // Equal scores are asked about already.
  if (label === undefined || others.length > 0 || scoresOf(outcome).length > 0) return undefined;
  return `every sentiment is ${label}`;
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

/** Share of documents that may have the same text. */
const MAX_SAME = 0.2;

function sameText({ documents }: SampleOutcome): string | undefined {
  const [text, times] = mostFrequent(documents.map((one) => one.text)) ?? ['', 0];
  if (times <= Math.max(2, documents.length * MAX_SAME)) return undefined;
  return `${thousands(times)} of ${thousands(documents.length)} texts are ${quoted(text)}`;
}

/** Minimum share of documents with an oddity: a few authors may write like that. */
const MANY = 0.05;

function structuredText({ documents }: SampleOutcome): string | undefined {
  const odd = documents.filter(({ text = '' }) => /^[[{]\s*["'][\s\S]*[\]}]$/u.test(text));
  if (odd.length === 0 || odd.length < documents.length * MANY) return undefined;
  return `${thousands(odd.length)} texts are structures of a program, for example ${quoted(odd[0]?.text ?? '')}`;
}

/** UTF-8 that was read in another encoding: `Ã¼`, `â€™`, `Ð°Ñ`. */
const GARBLED = /[ÃÂ][\u0080-\u00bf]|â€|(?:[ÐÑ][\u0080-\u00bf]){2}|\ufffd/u;

function garbledText({ documents }: SampleOutcome): string | undefined {
  const odd = documents.filter(({ text = '' }) => GARBLED.test(text));
  if (odd.length === 0 || odd.length < documents.length * MANY) return undefined;
  return `${thousands(odd.length)} of ${thousands(documents.length)} texts look garbled, for example ${quoted(odd[0]?.text ?? '')}, as in another encoding (--encoding)`;
}

function manySkipped({ read, skipped }: SampleOutcome): string | undefined {
  if (skipped <= read / 2) return undefined;
  return `${percent(skipped / read)} of the records are skipped because theirs is blank`;
}

function oneAuthor(key: 'username' | 'sourceId'): Check['doubt'] {
  return ({ documents }) => {
    const authors = documents.flatMap(({ author }) => author?.[key] ?? []);
    const [name, times] = mostFrequent(authors) ?? ['', 0];
    if (authors.length < MIN_DOCUMENTS || times < authors.length * 0.9) return undefined;
    return `${thousands(times)} of ${count(authors.length, 'review')} have ${quoted(name)}`;
  };
}

/** Minimum share of equal days: such a date is rather that of an export. */
const SAME_DAY = 0.8;

function oneDay({ documents }: SampleOutcome): string | undefined {
  const days = documents.flatMap(({ published }) => published?.slice(0, 10) ?? []);
  const [day, times] = mostFrequent(days) ?? ['', 0];
  if (days.length < MIN_DOCUMENTS || times < days.length * SAME_DAY) return undefined;
  return `${thousands(times)} of ${thousands(days.length)} dates are ${day}`;
}

const DAY_MS = 86_400_000;
/** First year of reviews on the web. */
const FIRST_YEAR = '1995';

function impossibleDates({ documents }: SampleOutcome): string | undefined {
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const days = documents.flatMap(({ published }) => published ?? []);
  const odd = days.filter((day) => day > tomorrow || day < FIRST_YEAR);
  if (odd.length <= days.length * 0.01) return undefined;
  return `${thousands(odd.length)} of ${thousands(days.length)} dates are in the future or before ${FIRST_YEAR}, for example ${odd[0]?.slice(0, 10)}`;
}

/** Minimum length in characters for reliable detection, and number of such texts examined. */
const LONG_TEXT = 80;
const MAX_TEXTS = 100;

function otherLanguage({ documents }: SampleOutcome): string | undefined {
  const long = documents.filter(({ text = '', language }) => language && text.length >= LONG_TEXT);
  const pairs = long.slice(0, MAX_TEXTS).flatMap(({ text = '', language }) => {
    const detected = detectLanguage(text.slice(0, 1000));
    return detected === undefined ? [] : [[language, detected] as const];
  });
  const odd = pairs.filter(([stated, detected]) => stated !== detected);
  const [first] = odd;
  if (first === undefined || pairs.length < MIN_DOCUMENTS || odd.length < pairs.length / 2) {
    return undefined;
  }
  return `${odd.length} of ${pairs.length} long texts seem to be in another one, for example ${first[1]} instead of ${first[0]}`;
}

function manyRepeated({ documents, repeated }: SampleOutcome): string | undefined {
  const all = documents.length + repeated;
  if (repeated <= Math.max(2, all * 0.02)) return undefined;
  return `${thousands(repeated)} of ${thousands(all)} reviews have the id of another one`;
}

function mostFrequent(
  values: readonly (string | undefined)[],
): readonly [value: string, times: number] | undefined {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0];
}
