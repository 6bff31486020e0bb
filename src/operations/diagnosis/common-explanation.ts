/** Explains a problem of several records, without the value, place or reason that only one of them has. */
import type { ProblemKind, ProblemText } from '../../model/record.js';
import type { CauseFigures } from '../../outcomes/problem-tally.js';
import type { Cause, FixedIn } from '../../report/report.js';

export type Explanation = Pick<Cause, 'message' | 'remedy' | 'fixedIn'>;

/** Takes the problem's own words if all records have the same. */
export function commonExplanation({ kind, texts }: CauseFigures): Explanation {
  const reasons = texts.map(reasonOf);
  const [first = ''] = reasons;
  const remedy = texts[0]?.remedy ?? null;
  const fixedIn = FIXED_IN[kind] ?? ['mapping'];
  if (texts.length === 1) return { message: first, remedy, fixedIn };
  return { message: sharedStart(reasons) || first, remedy, fixedIn, ...COMMON[kind] };
}

/** For kinds that aren't fixed in the mapping. */
const FIXED_IN: Readonly<Partial<Record<ProblemKind, readonly FixedIn[]>>> = {
  ragged: ['export', 'mapping'],
  'unclosed-quote': ['export'],
  'malformed-quote': ['export'],
  'not-utf8': ['export'],
  'not-json': ['export'],
  'not-xml': ['export'],
  'not-an-object': ['export'],
  'too-deep': ['export'],
  'broken-text': ['export'],
  rejected: ['service'],
  unknown: ['service'],
  'in-doubt': ['service'],
  'sent-again': ['service'],
  'shown-twice': ['service'],
};

function reasonOf({ message, reason = message }: ProblemText): string {
  return reason;
}

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
