/** Takes out of a report what quotes single records, for a page that may be passed on. */
import type { Coverage } from '../../coverage/coverage.js';
import type { Cause, Report } from '../report.js';

/** Fewest documents that share a value which may be shown. */
export const MIN_SHARED = 5;

/** A report with names of columns and figures, and with values only if many documents share them. */
export function withoutQuotes(report: Report): Report {
  const { coverage, stop, diagnosis, causes, problems } = report;
  const named = [
    ...(coverage?.columns.map(({ name }) => name) ?? []),
    ...causes.flatMap(({ columns }) => columns),
  ];
  const names = new Set(named.map((name) => JSON.stringify(name)));
  const plain = (text: string): string => masked(text, names);
  return {
    ...report,
    stop: stop && { ...stop, message: plain(stop.message) },
    diagnosis: diagnosis && plain(diagnosis),
    causes: causes.map((cause) => quoteless(cause, plain)),
    problems: problems.map((group) => ({ ...group, examples: [] })),
    skips: (report.skips ?? []).map((skip) => ({ ...skip, condition: plain(skip.condition) })),
    openQuestions: (report.openQuestions ?? []).map((question) => ({ ...question, text: ASKED })),
    notices: [],
    coverage: coverage && shared(coverage),
  };
}

const ASKED = 'It is in the mapping, and not here, as it may quote a value.';

/**
 * Replaces quoted texts, unless they are names of columns or a single sign, as a decimal mark. Edits of
 * the mapping are between backticks.
 * @param names quoted
 */
function masked(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/`[^`]*`|"(?:[^"\\\n]|\\.)*"/gu, (quoted) =>
    /^(?:`|"\W"$)/u.test(quoted) || names.has(quoted) ? quoted : '"…"',
  );
}

function quoteless(cause: Cause, plain: (text: string) => string): Cause {
  const { kind, columns, message, remedy, values, places } = cause;
  const found = [...values, ...places].flatMap(({ value = '' }) => (value === '' ? [] : [value]));
  const isLeftOut = remedy === null || kind === 'unlisted-value';
  // What isn't about columns may go on in the words of a parser or of the service.
  const start = columns.length > 0 ? message : message.replace(/\s*[:;(].*$/su, '');
  return {
    ...cause,
    message: kind === 'rejected' ? 'refused by the service' : plain(start),
    remedy: isLeftOut ? null : plain(withoutEdits(remedy, found)),
    values: [],
    places: places.map(({ value: _, ...place }) => place),
  };
}

/** Replaces the edits of a remedy that name a value. */
function withoutEdits(remedy: string, values: readonly string[]): string {
  return remedy.replaceAll(/`[^`]*`/gu, (edit) =>
    values.some((value) => edit.includes(value)) ? '`…`' : edit,
  );
}

function shared(coverage: Coverage): Coverage {
  const { tags = [], locations = [], fields, documents } = coverage;
  const isShared = ({ count }: { readonly count: number }): boolean => count >= MIN_SHARED;
  return {
    ...coverage,
    tags: tags.filter(isShared),
    locations: locations.filter(isShared),
    fields: documents >= MIN_SHARED ? fields : fields.map((one) => ({ ...one, constant: null })),
  };
}
