/** Entry point of this folder: what is wrong with a run as a whole, and with its records. */
import { neededColumns } from '../../coverage/absent-columns.js';
import type { TimeSummary } from '../../coverage/time-spread.js';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import { undatedFields } from '../../mapping/rules.js';
import { fileWord, quote } from '../../model/text.js';
import type { Tally } from '../../outcomes/tally.js';
import type { Cause, Report } from '../../report/report.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { type ExplainedRun, explainCauses, isNearlyAll, placeText } from './explain-causes.js';
import { explainSkips } from './explain-skips.js';
import { explainFutureDates } from './future-dates.js';
import { MIN_UNREAD, unreadFields, unreadText } from './unread-fields.js';

interface TalliedRun extends Omit<ExplainedRun, 'counts' | 'mapping'> {
  readonly tally: Tally;
  readonly plan: Pick<TransformPlan, 'mapping' | 'factory' | 'asOf'>;
  /** Absent if documents were not surveyed. */
  readonly dates: TimeSummary | undefined;
}

/** Explains a run's invalid and skipped records, how to cure them, and what is wrong with it as a whole. */
export async function explainRun({
  tally,
  plan,
  dates,
  ...run
}: TalliedRun): Promise<Required<Pick<Report, 'causes' | 'diagnosis' | 'skips'>>> {
  const { mapping, asOf } = plan;
  const explained = { ...run, mapping, counts: tally.counts() };
  const future = dates && explainFutureDates(dates, explained);
  const causes = await explainCauses(tally.causes(), explained);
  return {
    causes: future === undefined ? causes : [...causes, future],
    diagnosis: diagnose(causes, { ...explained, asOf }),
    skips: explainSkips(tally.skips(), plan),
  };
}

interface DiagnosedRun extends ExplainedRun {
  /** Day of the export that was given. */
  readonly asOf: string | undefined;
}

/**
 * Explains why (nearly) no record is valid, or has a field that matters; `null` if no cause explains
 * it.
 */
function diagnose(causes: readonly Cause[], run: DiagnosedRun): string | null {
  const { invalid, rejected, skipped, read } = run.counts;
  const areNearlyAll = isNearlyAll(invalid + rejected, run);
  const other = areNearlyAll || skipped === read ? otherExport(run) : undefined;
  if (other !== undefined || !areNearlyAll) {
    return other ?? missingFields(run) ?? undatedDocuments(run);
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

/** Share of the columns that a mapping reads; if so many are absent, it is for another export. */
const MOSTLY_ABSENT = 0.75;

/** Explains that objects lack what the mapping reads; tables are refused before the run. */
function otherExport({
  mapping,
  absent,
  inputs: [first],
  counts: { skipped, read },
}: ExplainedRun): string | undefined {
  const needed = neededColumns(mapping);
  const isAbsent = (column: string): boolean => Object.hasOwn(absent, column);
  const lacking = needed.filter(isAbsent).length;
  if (needed.length === 0 || lacking < MOSTLY_ABSENT * needed.length) return undefined;
  // Sparse records may lack most columns, too, and so may those skipped for a value that they have.
  const { skip } = mapping;
  const skipsByAbsence =
    skipped === read && skip.length > 0 && skip.every(({ from }) => [from].flat().every(isAbsent));
  if (lacking < needed.length && !skipsByAbsence) return undefined;
  const name = sourceTextOf(mapping)?.name ?? `The mapping "${mapping.name}"`;
  const present = needed.length - lacking;
  const none =
    needed.length === 1
      ? `${quote(needed[0] ?? '')} isn't`
      : `${present === 0 ? 'none' : `only ${present}`} of its ${needed.length} columns ${present === 1 ? 'is' : 'are'}`;
  const file = fileWord(first?.name ?? 'FILE');
  return `${name} was written for another export: ${none} here. \`docferry guess ${file} -o mapping.yaml\` makes a mapping for it.`;
}
