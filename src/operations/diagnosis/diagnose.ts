/** Explains in a sentence what is wrong with a run as a whole. */
import { neededColumns } from '../../coverage/absent-columns.js';
import type { Coverage } from '../../coverage/coverage.js';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import { undatedFields } from '../../mapping/rules.js';
import { count, thousands } from '../../model/figures.js';
import { fileWord, quote } from '../../model/text.js';
import type { Cause } from '../../report/report.js';
import { type ExplainedRun, isNearlyAll, placeText } from './explain-causes.js';
import type { FutureDates } from './future-dates.js';
import { MIN_UNREAD, unreadFields, unreadText } from './unread-fields.js';

export interface DiagnosedRun extends ExplainedRun {
  /** `null` or `undefined` if no document has a date, or they were not surveyed. */
  readonly published: Coverage['published'] | undefined;
  /** Day of the export that was given. */
  readonly asOf: string | undefined;
  readonly future: FutureDates | undefined;
}

/**
 * Explains why (nearly) no record is valid, or has a field that matters; `null` if no cause explains
 * it.
 */
export async function diagnose(
  causes: readonly Cause[],
  run: DiagnosedRun,
): Promise<string | null> {
  const { invalid, rejected, skipped, read } = run.counts;
  const areNearlyAll = isNearlyAll(invalid + rejected, run);
  const other = areNearlyAll || skipped === read ? await otherExport(run) : undefined;
  if (other !== undefined || !areNearlyAll) {
    return other ?? missingFields(run) ?? undatedDocuments(run) ?? swappedDates(run);
  }
  const whole = causes.filter(({ records }) => isNearlyAll(records, run));
  const [first] = whole;
  if (first === undefined) return null;
  const all = run.counts.read - run.counts.skipped;
  const isAll = whole.every(({ records }) => records === all);
  const nothing = invalid + rejected === all ? 'Nothing' : 'Almost nothing';
  const verb = run.command === 'validate' ? 'can be' : 'was';
  const records = isAll ? 'every record' : 'nearly every record';
  const areRules = whole.every(
    ({ columns, kind }) => columns.length > 0 || kind === 'missing-field',
  );
  const what = areRules
    ? `${whole.length === 1 ? 'one rule fails' : `${whole.length} rules fail`} for`
    : `${whole.length === 1 ? 'one problem is' : `${whole.length} problems are`} in`;
  return `${nothing} ${verb} imported: ${what} ${records}.`;
}

/** Explains which of the expected fields are read only from columns that no record has. */
function missingFields({ command, mapping, absent, counts }: DiagnosedRun): string | null {
  const unread = unreadFields(mapping, absent);
  if (unread.length === 0 || counts.skipped === counts.read) return null;
  const stops = command === 'validate' && counts.read >= MIN_UNREAD;
  const next = stops ? ' An import of this file stops unless --accept-drift is given.' : '';
  return `No record has ${unreadText(unread)}${placeText({ rules: unread, run: { mapping } })}.${next}`;
}

/** Explains that relative dates are left out, because the day of the export is unknown. */
function undatedDocuments({ mapping, asOf }: DiagnosedRun): string | null {
  if (!undatedFields(mapping, asOf).includes('document.published')) return null;
  return 'Documents whose date is relative have none, because it counts back from the day of the export, which is unknown: set it with --as-of.';
}

/** Smallest share, and number, of dates in the future that are a mistake of the mapping. */
const [MIN_FUTURE_SHARE, MIN_FUTURE] = [0.05, 2];

function swappedDates({ published, future }: DiagnosedRun): string | null {
  const inFuture = future?.mayBeSwapped ? future.cause.records : 0;
  const dated = published?.years.reduce((sum, year) => sum + year.count, 0) ?? 0;
  if (inFuture < MIN_FUTURE || inFuture < MIN_FUTURE_SHARE * dated) return null;
  return `${thousands(inFuture)} of ${count(dated, 'document')} have a date in the future.`;
}

/** Share of the columns that a mapping reads; if so many are absent, it is for another export. */
const MOSTLY_ABSENT = 0.75;

/** Explains that objects lack what the mapping reads; tables are refused before the run. */
async function otherExport({
  mapping,
  absent,
  paths,
  inputs: [first],
  counts: { skipped, read },
}: ExplainedRun): Promise<string | undefined> {
  const needed = neededColumns(mapping);
  const isAbsent = (column: string): boolean => Object.hasOwn(absent, column);
  const lacking = needed.filter(isAbsent).length;
  if (needed.length === 0 || lacking < MOSTLY_ABSENT * needed.length) return undefined;
  const { findReadyMapping } = await import('../../mapping/ready-mappings.js');
  const ready = findReadyMapping(paths, 'objects');
  // Sparse records may lack most columns, too, and so may those skipped for a value that they have.
  const { skip } = mapping;
  const skipsByAbsence =
    skipped === read && skip.length > 0 && skip.every(({ from }) => [from].flat().every(isAbsent));
  const isSure = lacking === needed.length || skipsByAbsence || ready !== undefined;
  if (!isSure) return undefined;
  const name = sourceTextOf(mapping)?.name ?? `The mapping "${mapping.name}"`;
  const present = needed.length - lacking;
  const none =
    needed.length === 1
      ? `${quote(needed[0] ?? '')} isn't`
      : `${present === 0 ? 'none' : `only ${present}`} of its ${needed.length} columns ${present === 1 ? 'is' : 'are'}`;
  const like = ready === undefined ? '' : ` This file fits the ready-made mapping ${ready.name}.`;
  const file = fileWord(first?.name ?? 'FILE');
  return `${name} was written for another export: ${none} here.${like} \`docferry guess ${file} -o mapping.yaml\` makes a mapping for it.`;
}
