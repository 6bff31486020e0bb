import { OUTCOMES } from '../model/record.js';
import type { Report } from '../report/report.js';
import type { Telemetry, TelemetryFacts } from '../telemetry/open-telemetry.js';
import type { RunBody } from './pipeline/import-run.js';
import { ownVersion } from './runs/version.js';

/** Where OpenTelemetry's API keeps what a program has registered with it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** What tells a program's tracing and metrics; `undefined`, and nothing is loaded, if it has none. */
export async function findTelemetry(): Promise<Telemetry | undefined> {
  if (!(REGISTRY in globalThis)) return undefined;
  const { openTelemetry } = await import('../telemetry/open-telemetry.js');
  return openTelemetry(ownVersion());
}

/** A run as a span. @param by the function whose run it is */
export function tracedRun(telemetry: Telemetry, by: string, body: RunBody): RunBody {
  const name = by === 'validateDocuments' ? 'docferry.validate' : 'docferry.import';
  return async (stage) =>
    await telemetry.span(name, {}, async (span) => {
      const end = await body({ ...stage, telemetry: span });
      tell(span, end.report);
      return end;
    });
}

function tell(span: Telemetry, report: Report): void {
  const { stop, counts } = report;
  span.set(factsOf(report));
  if (stop !== null) span.fail(stop.kind, stop.message);
  for (const outcome of OUTCOMES) {
    if (counts[outcome] > 0)
      span.count(counts[outcome], { ...jobOf(report), 'docferry.outcome': outcome });
  }
}

function factsOf(report: Report): TelemetryFacts {
  const { run, status, exitCode, counts, batches, retries } = report;
  const records = Object.entries(counts)
    .filter(([name, count]) => name === 'read' || count > 0)
    .map(([name, count]) => [`docferry.records.${name}`, count]);
  return {
    ...jobOf(report),
    'docferry.run.id': run,
    'docferry.run.status': status,
    'docferry.run.exit_code': exitCode,
    'docferry.run.batches': batches,
    'docferry.run.retries': retries,
    ...Object.fromEntries(records),
  };
}

/** What doesn't change from one run of a job to the next. */
function jobOf({ mapping, target }: Report): TelemetryFacts {
  const monitoring = target === null ? {} : { 'docferry.monitoring': target.monitoring };
  return { 'docferry.mapping': mapping, ...monitoring };
}
