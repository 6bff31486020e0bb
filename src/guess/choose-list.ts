/** Chooses the list of a JSON document, or the element of an XML one, whose elements look most like reviews. */
import type { SourceOptions } from '../formats/options.js';
import { rawColumn } from '../mapping/compile/column.js';
import { ruleColumns } from '../mapping/rules.js';
import { EACH, parsePath, showPath } from '../model/json-path.js';
import { isObject } from '../model/record.js';
import { columnsOf } from './columns.js';
import { type Draft, draftMapping } from './draft-mapping.js';
import { conceptsOf } from './lexicon/name-concepts.js';
import { isOfParent } from './parent-columns.js';
import { likeliest } from './ranking.js';
import type { FieldChoice } from './rules/draft.js';
import { textColumns } from './rules/text-rule.js';
import type { Sample } from './sample.js';

/** Number of lists that are tried. */
const MAX_LISTS = 12;
/** Score behind the best list up to which a list may hold reviews, too. */
const MAX_RIVAL_LAG = 1;

/** Options to add to the stated ones to read a file. */
export interface Parsing {
  readonly options: SourceOptions;
  /** Open questions about these options. */
  readonly todos: readonly string[];
  /** Lists that these options leave out, and findings about the table. Reading with these options may not show them again. */
  readonly remarks?: readonly string[];
}

/** Reads the start of a file with additional options; `undefined` if it can't be read with them. */
export type TryParsing = (options: SourceOptions) => Promise<Sample | undefined>;

interface Candidate {
  /** Absent for the records without the option. */
  readonly records?: string;
  readonly seen: number;
  readonly score: number;
  readonly hasText: boolean;
}

/**
 * Tries a document's lists, by the values that their elements have themselves. `undefined` if none
 * can be read.
 * @param isReadable whether the records can be read without the option, too
 */
export async function chooseList(
  lists: readonly string[],
  isReadable: boolean,
  attempt: TryParsing,
): Promise<Parsing | undefined> {
  const tried: Candidate[] = [];
  for (const records of [...(isReadable ? [undefined] : []), ...lists.slice(0, MAX_LISTS)]) {
    const options: SourceOptions = records === undefined ? {} : { records };
    const sample = await attempt(options);
    if (sample === undefined || sample.records.length === 0 || isListOfAnswers(sample)) continue;
    const own = withoutElements(sample, elementsInside(records, lists));
    tried.push({ ...options, ...scoreSample(own, records) });
  }
  const best = likeliest(tried, ({ score }) => score);
  if (best === undefined) return undefined;
  const rest = tried.filter((one) => one.hasText && !isAround(one, best));
  return {
    options: best.records === undefined ? {} : await withSurroundings(best.records, attempt),
    // A list much like the chosen one may be the other half of the reviews.
    ...(rest.some(({ score }) => score > best.score - MAX_RIVAL_LAG)
      ? { todos: [remarkOn(best, rest)] }
      : { todos: [], remarks: rest.length === 0 ? [] : [`${remarkOn(best, rest)}.`] }),
  };
}

/** Adds `[]` to the path of a plain list if the document describes the reviewed item before it. */
async function withSurroundings(records: string, attempt: TryParsing): Promise<SourceOptions> {
  const options = { records: `${records}[]` };
  const sample = records.includes('[]') ? undefined : await attempt(options);
  if (sample === undefined) return { records };
  const { fields } = draftMapping(sample, {});
  const isUsed = fields.some(({ rule }) => ruleColumns(rule).some(isOfParent));
  return isUsed ? options : { records };
}

/** Names the children of an element that hold further lists: in XML, a list of one looks like a single value. */
function elementsInside(records: string | undefined, lists: readonly string[]): readonly string[] {
  const start = `${records?.replace('[]', '')}/`;
  const paths = lists.map((list) => list.replace('[]', ''));
  return paths.flatMap((path) =>
    path.startsWith(start) ? path.slice(start.length).replace(/\/.*/u, '') : [],
  );
}

function withoutElements(sample: Sample, names: readonly string[]): Sample {
  if (names.length === 0) return sample;
  const records = sample.records.map(({ value, ...one }) => {
    const own = Object.entries(value).filter(([name]) => !names.includes(name));
    return { ...one, value: Object.fromEntries(own) };
  });
  return { ...sample, records };
}

/** Returns whether a list is another, or has it in its elements. */
function isAround({ records = '' }: Candidate, best: Candidate): boolean {
  const { records: inner = '' } = best;
  return (
    records === '' ||
    (inner.startsWith(records) && /^(?:$|[./[])/u.test(inner.slice(records.length)))
  );
}

function remarkOn(best: Candidate, others: readonly Candidate[]): string {
  const named = others.map(
    ({ records = '', seen }) => `${recordsFlag(records)} (${seen} in the sample)`,
  );
  const taken =
    best.records === undefined
      ? 'The records are the elements'
      : `The records are the list ${best.records}`;
  return `${taken}. The file has other lists with texts: ${named.join(', ')}. To read one of them, guess again with its option`;
}

function scoreSample(sample: Sample, records = ''): Pick<Candidate, 'seen' | 'score' | 'hasText'> {
  const { reviewScore, context } = draftMapping(ownValues(sample), {});
  const { roles } = context.assignment;
  const hasText = roles.has('text') || roles.has('positive');
  return {
    seen: sample.seen,
    hasText,
    score: reviewScore + nameScore(records) + (hasText ? 1 : 0),
  };
}

/** The option as it is typed in a shell. */
function recordsFlag(records: string): string {
  return `--records '${records.replaceAll("'", "'\\''")}'`;
}

/** Asks whether the texts in a list are a review each, and how they would be read. */
export function withListQuestion(draft: Draft): Draft {
  const records = textListPath(draft);
  if (records === undefined) return draft;
  const choice: FieldChoice = {
    ask: 'check that the texts, several in a record, are parts of one review',
    when: 'If each is a review of its own',
    change: { words: `guess again with ${recordsFlag(records)}` },
  };
  const fields = draft.fields.map((field) =>
    field.path[0] === 'text'
      ? { ...field, doubts: [], choices: [choice, ...(field.choices ?? [])] }
      : field,
  );
  return { ...draft, fields };
}

function textListPath({ context, sample, input }: Draft): string | undefined {
  const column = textColumns(context).find(({ column: { list } }) => list);
  const isJson = input.format?.startsWith('json') === true;
  if (column === undefined || !isJson || !hasSeveral(sample, column.name)) return undefined;
  const { records = '' } = input;
  const isElement = sample.layout.inList === true && !records.endsWith('[]');
  const each = isElement ? [EACH] : [];
  const steps = parsePath(column.name) ?? [column.name];
  const inside = steps.includes(EACH) ? steps.slice(0, steps.lastIndexOf(EACH)) : steps;
  return showPath([...(parsePath(records) ?? []), ...each, ...inside, EACH]);
}

function hasSeveral({ records }: Sample, name: string): boolean {
  return records.some(({ value }) => {
    const list = rawColumn(name, null)(value);
    return Array.isArray(list) && list.length > 1;
  });
}

/** Scores what a list is called: `reviews`, but not the `replies` or `comments` inside of them. */
function nameScore(records: string): number {
  const steps = records.includes('/') ? records.split(/(?:\[\])?\//u) : parsePath(records);
  const keys = steps?.filter((step) => typeof step === 'string') ?? [];
  const concepts = conceptsOf(String(keys.at(-1) ?? ''));
  const isInReviews = keys.slice(0, -1).some((key) => conceptsOf(String(key)).has('review'));
  if (concepts.has('reply') || (isInReviews && !concepts.has('review'))) return -2;
  return concepts.has('review') || concepts.has('text') ? 0.5 : 0;
}

/** The records without their parents and without the lists of objects in them. */
function ownValues(sample: Sample): Sample {
  const records = sample.records.map(({ value, ...one }) => ({
    ...one,
    value: isObject(value) ? ownFields(value) : value,
  }));
  return { ...sample, records };
}

function ownFields(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = Object.entries(record).filter(
    ([key, value]) => key !== 'parent' && !(Array.isArray(value) && value.some(isObject)),
  );
  return Object.fromEntries(own);
}

/** Minimum number of elements around lists to compare. */
const MIN_PARENTS = 3;

/**
 * Returns whether the lists hold the parts of a record each, such as a survey's answers: in a column of
 * words, they have the same values in all of them.
 */
function isListOfAnswers(sample: Sample): boolean {
  const parents = sample.records.map(
    ({ value }) => (value as { readonly parent?: unknown }).parent,
  );
  const count = new Set(parents.filter(isObject)).size;
  if (count < MIN_PARENTS) return false;
  return columnsOf(ownValues(sample), true).some(({ texts }) => {
    const filled = texts.filter((text) => text !== undefined);
    const distinct = new Set(filled);
    const pairs = new Set(
      texts.map((text, at) =>
        text === undefined ? at : `${text} ${parents.indexOf(parents[at])}`,
      ),
    );
    const isWords = [...distinct].every((text) => /\p{L}{2}/u.test(text));
    const isRepeated = filled.length >= distinct.size * count * 0.6 && distinct.size > 1;
    return isWords && isRepeated && pairs.size === texts.length && filled.length === texts.length;
  });
}
