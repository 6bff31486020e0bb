import {
  type Context,
  context,
  createContextKey,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Exchange } from '../api/transport/exchange.js';
import type { Call, Transport } from '../api/transport/http-transport.js';
import { callEnd, callFacts } from './call-facts.js';
import type { Telemetry, TelemetryFacts, TelemetrySpan } from './telemetry.js';
import { parentInEnvironment } from './trace-context.js';

/**
 * Tells what happens to what is registered with OpenTelemetry's API: spans and metrics. Of spans that
 * begin here, the parent is the active one, or else the one that the environment names.
 * @param version docferry's own
 */
export function openTelemetry(
  version: string,
  environment: NodeJS.ProcessEnv = process.env,
): Telemetry {
  const parent = parentInEnvironment(environment);
  const active = context.active();
  return new OpenTelemetry(
    parent === undefined ? active : trace.setSpanContext(active, parent),
    instruments(version),
  );
}

type Instruments = ReturnType<typeof instruments>;

/** What spans and metrics are made with. A program that registers another SDK later has others. */
function instruments(version: string) {
  const meter = metrics.getMeter(SCOPE, version);
  return {
    tracer: trace.getTracer(SCOPE, version),
    durations: meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: BOUNDARIES },
    }),
    documents: meter.createCounter('docferry.documents', {
      description: 'Documents, and records that became none, by what became of them.',
      unit: '{document}',
    }),
  };
}

const SCOPE = 'docferry';

/** As the conventions advise, in seconds. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

class OpenTelemetry implements Telemetry {
  readonly #base: Context;
  readonly #instruments: Instruments;

  /** @param base what is active where nobody keeps track of that */
  constructor(base: Context, instruments: Instruments) {
    this.#base = base;
    this.#instruments = instruments;
  }

  async span<T>(
    name: string,
    facts: TelemetryFacts,
    action: (span: TelemetrySpan) => Promise<T>,
  ): Promise<T> {
    const parent = this.#parent();
    const span = this.#instruments.tracer.startSpan(name, { attributes: facts }, parent);
    const within = trace.setSpan(parent, span);
    try {
      const opened = new OpenSpan(within, this.#instruments, span);
      return await context.with(within, () => action(opened));
    } catch (error) {
      tellError(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  traced(transport: Transport): Transport {
    return {
      baseUrl: transport.baseUrl,
      send: (call) => this.#send(transport, call),
      close: () => transport.close(),
    };
  }

  count(documents: number, facts: TelemetryFacts): void {
    this.#instruments.documents.add(documents, facts, this.#parent());
  }

  async #send(transport: Transport, call: Call): Promise<Exchange> {
    const { tracer, durations } = this.#instruments;
    const { name, measured, own } = callFacts(transport.baseUrl, call);
    const parent = this.#parent();
    const attributes = { ...measured, ...own };
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const within = trace.setSpan(parent, span);
    const startedMs = performance.now();
    try {
      const headers = span.isRecording() ? headersOf(within) : {};
      const exchange = await context.with(quiet(within), () =>
        transport.send({ ...call, headers }),
      );
      const end = callEnd(exchange);
      span.setAttributes(end.measured);
      if (end.failure !== undefined) tellFailure(span, end.failure);
      const seconds = (performance.now() - startedMs) / 1_000;
      durations.record(seconds, { ...measured, ...end.measured }, within);
      return exchange;
    } finally {
      span.end();
    }
  }

  /** Some programs don't keep track of what is active: then it is what this was opened in. */
  #parent(): Context {
    const active = context.active();
    return trace.getSpan(active) === undefined ? this.#base : active;
  }
}

class OpenSpan extends OpenTelemetry implements TelemetrySpan {
  readonly #span: Span;

  constructor(within: Context, instruments: Instruments, span: Span) {
    super(within, instruments);
    this.#span = span;
  }

  set(facts: TelemetryFacts): void {
    this.#span.setAttributes(facts);
  }

  fail(type: string, message: string): void {
    this.#span.setAttribute('error.type', type);
    tellFailure(this.#span, message);
  }
}

function tellFailure(span: Span, message: string): void {
  const said = message === '' ? {} : { message };
  span.setStatus({ code: SpanStatusCode.ERROR, ...said });
}

function tellError(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  span.setAttribute('error.type', name);
  span.recordException({ name, message });
  tellFailure(span, message);
}

/** By this name the SDK and instrumentations know that a library tells of its requests itself. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** An instrumentation of undici would tell of each request once more. */
function quiet(within: Context): Context {
  return within.setValue(SUPPRESSED, true);
}

/** What can stand in a header: a propagator that writes anything else must not cost the request. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Headers that no trace needs. Baggage stays here: it is what the program tells its own services, and
 * this one is somebody else's. The others say who asks, and how the request is read.
 */
const NOT_OF_TRACES = new Set([
  ...['baggage', 'authorization', 'cookie', 'host', 'connection', 'content-length'],
  ...['content-type', 'content-encoding', 'transfer-encoding', 'expect', 'upgrade', 'accept'],
]);

/** What the program's propagator has the service told of a span. */
function headersOf(within: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(within, headers, {
    set: (carrier, written, value) => {
      const name = written.toLowerCase();
      const isGood = NAME.test(name) && VALUE.test(value);
      if (isGood && !NOT_OF_TRACES.has(name)) carrier[name] = value;
    },
  });
  return headers;
}
