import {
  type Attributes,
  type Context,
  context,
  metrics,
  propagation,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OUTCOMES } from '../model/record.js';
import { VERSION } from '../model/version.js';
import type { Report } from '../report/report.js';

/**
 * Records a run as a span with the OpenTelemetry API, and counts its documents by outcome at the
 * end.
 */
export async function traceRun<End extends { readonly report: Report }>(
  name: string,
  run: () => Promise<End>,
): Promise<End> {
  const parent = parentOfRun(process.env);
  const span = trace.getTracer('docferry', VERSION).startSpan(name, {}, parent);
  const fail = (type: string, message: string): void => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR, message });
  };
  try {
    const end = await context.with(trace.setSpan(parent, span), run);
    const { stop } = end.report;
    span.setAttributes(factsOf(end.report));
    if (stop !== null) fail(stop.kind, stop.message);
    countDocuments(end.report);
    return end;
  } catch (error) {
    const { name: type, message } = error instanceof Error ? error : new Error(String(error));
    // Without the stack, which contains paths.
    span.recordException({ name: type, message });
    fail(type, message);
    throw error;
  } finally {
    span.end();
  }
}

/** The active span, or the one that a scheduler passes in the environment. */
function parentOfRun({ TRACEPARENT: traceparent, TRACESTATE }: NodeJS.ProcessEnv): Context {
  const active = context.active();
  if (trace.getSpan(active) !== undefined || traceparent === undefined) return active;
  const tracestate = TRACESTATE === undefined ? {} : { tracestate: TRACESTATE };
  return propagation.extract(active, { traceparent, ...tracestate });
}

function countDocuments(report: Report): void {
  const counter = metrics.getMeter('docferry', VERSION).createCounter('docferry.documents', {
    description: 'Documents, and records that became none, by their outcome.',
    unit: '{document}',
  });
  for (const outcome of OUTCOMES) {
    const count = report.counts[outcome];
    if (count > 0) counter.add(count, { ...jobOf(report), 'docferry.outcome': outcome });
  }
}

function factsOf(report: Report): Attributes {
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

/** Facts that are the same in every run of a job, and so suitable as attributes of metrics. */
function jobOf({ mapping, target }: Report): Attributes {
  const monitoring = target === null ? {} : { 'docferry.monitoring': target.monitoring };
  return { 'docferry.mapping': mapping, ...monitoring };
}
