import { OptionError } from '../../model/errors.js';
import { AUTHOR_RANKINGS, DOC_RANKINGS } from '../../service/rankings.js';
import { checkOffset, showValue, type Warn } from '../checks.js';
import { type Encode, encodeFilters, plain } from './encode-filters.js';
import type { AuthorsQuery, ChartQuery, DocumentsQuery, FeedQuery, Filters } from './queries.js';

const REQUIRED = ['monitorings', 'start', 'end'] as const;

/** Parameters of `POST /documents`. */
export function encodeDocumentsQuery(query: DocumentsQuery, warn: Warn): URLSearchParams {
  const further = {
    docRanking: ranking({ interactions: undefined, ...DOC_RANKINGS }, query),
    offset,
  };
  return encoded(encodeFilters(query, REQUIRED, further), warn);
}

/** Parameters of `POST /authors`. */
export function encodeAuthorsQuery(query: AuthorsQuery, warn: Warn): URLSearchParams {
  const further = { authorRanking: ranking(AUTHOR_RANKINGS, query), offset };
  return encoded(encodeFilters(query, REQUIRED, further), warn);
}

/** Parameters of `POST /indicators`. */
export function encodeIndicatorsQuery(query: Filters, warn: Warn): URLSearchParams {
  return encoded(encodeFilters(query, REQUIRED), warn);
}

/** Parameters of `POST /chart`. */
export function encodeChartQuery(query: ChartQuery, warn: Warn): URLSearchParams {
  return encoded(encodeFilters(query, REQUIRED, plain), warn);
}

/** Parameters of `POST /documents/feed`, but for its cursor. */
export function encodeFeedQuery(query: FeedQuery, warn: Warn): URLSearchParams {
  const parameters = encodeFilters(query, ['monitorings']);
  const ignored = ['start', 'end'].filter((name) => parameters.has(name));
  if (ignored.length > 0) warn(`The feed ignores ${ignored.join(' and ')}; use its cursor.`);
  return encoded(parameters, warn);
}

function encoded(parameters: URLSearchParams, warn: Warn): URLSearchParams {
  const ignored = ['tags', 'ignoreTags'].filter((name) => parameters.has(name));
  if (parameters.has('tagExpression') && ignored.length > 0) {
    warn(`${ignored.join(' and ')}: ignored by the service, since tagExpression is given.`);
  }
  return parameters;
}

/** A ranking of a table, if the query's `viewSource` allows it; `undefined`: any does. */
function ranking(
  table: Readonly<Record<string, readonly string[] | undefined>>,
  { viewSource }: Pick<Filters, 'viewSource'>,
): Encode {
  return (name, value) => {
    if (typeof value !== 'string' || !Object.hasOwn(table, value)) {
      const known = Object.keys(table).join(', ');
      throw new OptionError(`${name}: ${showValue(value)} is unknown; expected ${known}.`);
    }
    const sources = table[value];
    if (sources === undefined || (viewSource && sources.includes(viewSource))) return value;
    const found = viewSource === undefined ? 'there is none' : `it is ${showValue(viewSource)}`;
    throw new OptionError(
      `${name}: ${value} needs a viewSource of ${sources.join(', ')}, and ${found}.`,
    );
  };
}

function offset(_name: string, value: unknown): string {
  checkOffset(value);
  return String(value);
}
