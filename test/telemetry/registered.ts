import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';

/** What a program has registered, and what was reported to it. */
export interface Registered {
  spans(): readonly ReadableSpan[];
  /** Spans of a name, in the order in which they ended. */
  named(name: string): readonly ReadableSpan[];
  /** A counter's values, each with its attributes. */
  points(name: string): Promise<readonly DataPoint<number>[]>;
}

/** Registers OpenTelemetry's SDK with undici's instrumentation, as a program does, until the test ends. */
export function registerSdk(): Registered {
  const exporter = new InMemorySpanExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: figures });
  const meters = new MeterProvider({ readers: [reader] });
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const instrumentation = new UndiciInstrumentation();
  onTestFinished(async () => {
    instrumentation.disable();
    for (const api of [trace, metrics, context, propagation]) api.disable();
    await meters.shutdown();
  });
  return {
    spans: () => exporter.getFinishedSpans(),
    named: (name) => exporter.getFinishedSpans().filter((span) => span.name === name),
    points: async (name) => {
      await meters.forceFlush();
      const scopes = figures.getMetrics().at(-1)?.scopeMetrics ?? [];
      return scopes
        .flatMap((scope) => scope.metrics)
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }) => dataPoints as never[]);
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
