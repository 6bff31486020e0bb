/** Lines below the header that go on describing the columns, as survey tools write them. */
import type { Column } from './columns.js';
import { isNumberOrDate } from './notations/dates.js';
import type { Chosen, DraftSkip } from './rules/draft.js';

/** Most such lines: the question, and the tool's own key of it. */
const MAX_SUBHEADERS = 2;
/** Records below them that are enough to see what a column holds. */
const MIN_RECORDS = 2;
const LOOKED_AT = 200;

/** Columns without the lines that describe them, and how many lines those are. */
export function withoutSubheaders(columns: readonly Column[]): {
  readonly columns: readonly Column[];
  readonly subheaders: number;
} {
  let subheaders = 0;
  while (subheaders < MAX_SUBHEADERS && isSubheader(columns, subheaders)) subheaders += 1;
  if (subheaders === 0) return { columns, subheaders };
  return {
    subheaders,
    columns: columns.map((column) => ({
      ...column,
      texts: column.texts.slice(subheaders),
      subheaders: column.texts.slice(0, subheaders).filter((text) => text !== undefined),
      label: column.texts
        .slice(0, subheaders)
        .filter((text) => text !== undefined && !text.startsWith('{'))
        .join(' '),
    })),
  };
}

/**
 * Whether a record is none: it has words in columns where all others have numbers or dates, and
 * neither a number nor a date in any.
 */
function isSubheader(columns: readonly Column[], at: number): boolean {
  const cells = columns.map(({ texts }) => texts[at]);
  if (cells.some((text) => text !== undefined && isNumberOrDate(text))) return false;
  const strict = columns.filter(({ texts }) => {
    const rest = texts.slice(at + 1, at + LOOKED_AT).filter((text) => text !== undefined);
    const below = rest.slice(MAX_SUBHEADERS);
    return below.length >= MIN_RECORDS && below.every(isNumberOrDate);
  });
  const words = strict.filter(({ texts }) => texts[at] !== undefined);
  if (words.length >= 2) return true;
  // A line that fills in the questions alone: every number and date is blank in it.
  const filled = cells.filter((text) => text !== undefined);
  const described = filled.every((text) => DESCRIPTION.test(text));
  return strict.length >= 2 && filled.length > 0 && described;
}

/** What SurveyMonkey writes below its questions. */
const DESCRIPTION =
  /^(?:response|open-ended response|other \(please specify\)|antwort|offene antwort|respuesta(?: abierta)?|réponse(?: ouverte)?|resposta(?: aberta)?|antwoord|open antwoord|odpověď)$/iu;

/** Leaves those lines out by what stands in the first column that they fill. */
export function subheaderSkips({ profiles, subheaders }: Chosen): readonly DraftSkip[] {
  if (subheaders === 0) return [];
  const told = profiles.find(
    ({ column, filled }) =>
      column.subheaders?.length === subheaders &&
      !column.subheaders.some((text) => filled.includes(text)),
  );
  if (told?.column.subheaders === undefined) return [];
  const evidence = `the first ${subheaders === 1 ? 'record describes' : `${subheaders} records describe`} the columns, and ${subheaders === 1 ? 'is' : 'are'} no review`;
  return [{ condition: { from: told.name, in: told.column.subheaders }, evidence }];
}
