/** Entry point of this folder. Explains a run's invalid and skipped records, and how to cure them. */
import type { TimeSummary } from '../../coverage/time-spread.js';
import type { Tally } from '../../outcomes/tally.js';
import type { Report } from '../../report/report.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { type DiagnosedRun, diagnose } from './diagnose.js';
import { explainCauses } from './explain-causes.js';
import { explainSkips } from './explain-skips.js';
import { explainFutureDates } from './future-dates.js';

export { explainCauses } from './explain-causes.js';

interface TalliedRun extends Omit<DiagnosedRun, 'counts' | 'mapping' | 'asOf' | 'future'> {
  readonly tally: Tally;
  readonly plan: Pick<TransformPlan, 'mapping' | 'factory' | 'asOf'>;
  /** Absent if documents were not surveyed. */
  readonly dates: TimeSummary | undefined;
}

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
    causes: future === undefined ? causes : [...causes, future.cause],
    diagnosis: await diagnose(causes, { ...explained, asOf, future }),
    skips: explainSkips(tally.skips(), plan),
  };
}
