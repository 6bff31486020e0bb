import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';

/** What a program has registered, and what was told to it. */
export interface Registered {
  spans(): readonly ReadableSpan[];
  /** Spans of a name, in the order in which they ended. */
  named(name: string): readonly ReadableSpan[];
  /** A counter's values or a histogram's, each with its attributes. */
  points<T extends number | Histogram>(name: string): Promise<readonly DataPoint<T>[]>;
}

/** Registers OpenTelemetry's SDK as a program does, until the test ends. */
export function registerSdk({
  sampler,
  tracksContext = true,
}: {
  readonly sampler?: Sampler;
  readonly tracksContext?: boolean;
} = {}): Registered {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures });
  const meters = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors, ...(sampler === undefined ? {} : { sampler }) }),
  );
  metrics.setGlobalMeterProvider(meters);
  if (tracksContext)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
  onTestFinished(async () => {
    for (const api of [trace, metrics, context, propagation]) api.disable();
    await meters.shutdown();
  });
  return {
    spans: () => exporter.getFinishedSpans(),
    named: (name) => exporter.getFinishedSpans().filter((span) => span.name === name),
    points: async (name) => {
      await meters.forceFlush();
      const scopes = figures.getMetrics().at(-1)?.scopeMetrics ?? [];
      const found = scopes
        .flatMap((scope) => scope.metrics)
        .filter(({ descriptor }) => descriptor.name === name);
      return found.flatMap(({ dataPoints }) => dataPoints as never[]);
    },
  };
}

/** A trace as names, each below its parent, in the order in which they began. */
export function treeOf(
  spans: readonly ReadableSpan[],
  parent?: string,
  indent = '',
): readonly string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const isHere = ({ parentSpanContext }: ReadableSpan): boolean =>
    parent === undefined
      ? !ids.has(parentSpanContext?.spanId ?? '')
      : parentSpanContext?.spanId === parent;
  const began = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e9 + nanos;
  return spans
    .filter(isHere)
    .toSorted((a, b) => began(a) - began(b))
    .flatMap((span) => [
      `${indent}${span.name}`,
      ...treeOf(spans, span.spanContext().spanId, `${indent}  `),
    ]);
}
