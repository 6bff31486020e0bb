/** Explains what several records have in common, without the value, place or reason of one of them. */
import { REPEATED_ID_REMEDY } from '../../dedup/duplicates.js';
import type { ProblemKind } from '../../model/record.js';
import type { CauseFigures } from '../../outcomes/tally.js';
import type { Cause } from '../../report/report.js';

export type Explanation = Pick<Cause, 'message' | 'remedy'>;

/** Takes the message itself if it is the only one. */
export function commonExplanation({ kind, messages }: CauseFigures): Explanation {
  const [first = ''] = messages;
  const start = REMEDIES[kind];
  const end = start === undefined ? -1 : first.indexOf(`: ${start}`);
  const [message, remedy] = end < 0 ? [first, null] : [first.slice(0, end), first.slice(end + 2)];
  if (messages.length === 1) return { message, remedy };
  const common = COMMON[kind] ?? {};
  return { message: sharedStart(messages) || first, remedy, ...common };
}

/** The service keeps the first version of an imported document. */
export const CHANGED_REMEDY =
  "do nothing if the sourceId is the review's own id, as an imported document cannot be changed; otherwise map another column, or a hash of more columns";

/** How a remedy at the end of a message begins. */
const REMEDIES: Readonly<Partial<Record<ProblemKind, string>>> = {
  'repeated-id': REPEATED_ID_REMEDY,
  changed: CHANGED_REMEDY,
  ragged: 'fix the record',
};

/** For messages that may differ in each record. */
const COMMON: Readonly<Partial<Record<ProblemKind, Partial<Explanation>>>> = {
  'not-json': { message: 'not valid JSON', remedy: 'fix or remove them' },
  'not-xml': { message: 'not well-formed XML', remedy: 'fix or remove them' },
  'not-utf8': {
    message: 'bytes that are not UTF-8',
    remedy: "fix the records, or set the file's encoding",
  },
  ragged: {
    message: 'fewer or more fields than the header has columns',
    remedy:
      'fix the records, or set `ragged: pad` under input if only empty fields at the end are missing or too many',
  },
  'repeated-id': { message: 'the sourceId occurred before with other content' },
};

/** Returns the clauses with which all messages start. */
function sharedStart(messages: readonly string[]): string {
  const [first = [], ...others] = messages.map((message) => message.split(/(?=[:;,(] | \()/u));
  const differs = first.findIndex((clause, at) => others.some((one) => one[at] !== clause));
  return first.slice(0, differs < 0 ? undefined : differs).join('');
}
