/**
 * OpenTelemetry for a command line: NODE_OPTIONS='--import ./otel.mjs' docferry import …
 *
 * It prints the spans as a tree and the metrics, on stderr, when the process ends. To send them to a
 * collector instead, take the exporters of @opentelemetry/exporter-trace-otlp-http and
 * @opentelemetry/exporter-metrics-otlp-http.
 */
import { isMainThread } from 'node:worker_threads';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

// Worker threads are started with the same --import.
if (isMainThread) {
  const spans = new InMemorySpanExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures });
  const meters = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // Makes a span of each request, and measures it.
  new UndiciInstrumentation();

  // docferry ends by itself: what is still to be exported is exported then.
  process.once('beforeExit', async () => {
    await meters.forceFlush();
    const told = [...treeOf(spans.getFinishedSpans()), ...linesOf(figures.getMetrics())];
    process.stderr.write(`${told.join('\n')}\n`);
    await meters.shutdown();
  });
}

/** Spans below their parents, in the order in which they began. */
function treeOf(spans, parent = undefined, indent = '') {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const isHere = ({ parentSpanContext: { spanId } = {} }) =>
    parent === undefined ? !ids.has(spanId) : spanId === parent;
  const began = ({ startTime: [seconds, nanos] }) => seconds * 1e9 + nanos;
  return spans
    .filter(isHere)
    .toSorted((a, b) => began(a) - began(b))
    .flatMap((span) => [
      `${indent}${span.name}  ${textOf(span.attributes)}`,
      ...treeOf(spans, span.spanContext().spanId, `${indent}  `),
    ]);
}

function linesOf(exported) {
  const scopes = exported.at(-1)?.scopeMetrics ?? [];
  return scopes.flatMap(({ metrics }) =>
    metrics.flatMap(({ descriptor: { name }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => {
        const figure = value.count === undefined ? value : `${value.count} measured`;
        return `${name}  ${textOf(attributes)}: ${figure}`;
      }),
    ),
  );
}

function textOf(attributes) {
  const pairs = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
  return pairs.join(' ');
}
