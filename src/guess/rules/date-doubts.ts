/** What a person has to look at before a column of dates is taken for when the review was written. */
import type { Concept } from '../lexicon/name-concepts.js';
import { unknownWords } from '../lexicon/name-concepts.js';
import type { DateColumn } from '../notations/date-column.js';
import type { ColumnProfile } from '../profile-column.js';
import { called, confidenceOf, example, percent } from './draft.js';

/** Share of values that may be no dates: slips. */
const TOLERATED = 0.005;

/**
 * The open questions about a column of dates, and whether one of them is which date it is.
 * @param counted whether the file says what relative dates count back from
 */
export function dateDoubts(
  profile: ColumnProfile,
  date: DateColumn,
  { counted, score }: { readonly counted: boolean; readonly score: number },
): { readonly low: boolean; readonly todo: string | undefined } {
  const order = orderDoubt(date) ?? monthDoubt(date);
  const purpose =
    confidenceOf(score) === 'low' || !speaksOfWriting(profile)
      ? `check that ${called(profile)} is when the review was written`
      : undefined;
  const doubts = [order, relativeDoubt(date, counted), strayDoubt(profile, date), purpose];
  const told = doubts.filter((doubt) => doubt !== undefined);
  return {
    low: order !== undefined || purpose !== undefined,
    todo: told.length === 0 ? undefined : told.join('; '),
  };
}

const OF_WRITING: readonly Concept[] = ['written', 'review', 'text'];
const OF_ANOTHER: readonly Concept[] = [
  ...(['place', 'id', 'author', 'experience', 'scraped', 'updated', 'version', 'joined'] as const),
  'reply',
];

/** A name that says nothing but "date" is taken at its word; one that nobody knows is not. */
function speaksOfWriting({ name, concepts, column }: ColumnProfile): boolean {
  if (column.unnamed) return false;
  if (OF_WRITING.some((concept) => concepts.has(concept))) return true;
  const own = name.split('.').at(-1) ?? name;
  if (!concepts.has('date') || unknownWords(own) > 0) return false;
  return !OF_ANOTHER.some((concept) => concepts.has(concept));
}

function orderDoubt({ order }: DateColumn): string | undefined {
  if (order?.decided !== false) return undefined;
  const first = order.dayFirst ? 'day' : 'month';
  return `say which number is the day: ${order.evidence}; the ${first} is taken to come first`;
}

function monthDoubt({ doubtfulMonth, locales }: DateColumn): string | undefined {
  if (doubtfulMonth === undefined) return undefined;
  return `say in which language the months are: ${example(doubtfulMonth)} is read as ${locales.join(', ')}, and is another month elsewhere`;
}

function relativeDoubt({ relative }: DateColumn, counted: boolean): string | undefined {
  if (!relative || counted) return undefined;
  return 'say when the export was made, with asOf: above or --as-of: these dates count back from it, and are left out until then';
}

function strayDoubt({ filled }: ColumnProfile, { strays }: DateColumn): string | undefined {
  const share = strays.count / filled.length;
  if (strays.first === undefined || share <= TOLERATED) return undefined;
  return `${percent(share)} of the values are no dates, such as ${example(strays.first)}: say how they are to be read`;
}
