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

/**
 * Reports to what is registered with OpenTelemetry's API: spans and metrics. Of spans that begin
 * here, the parent is the active one, or else the one that `TRACEPARENT` and `TRACESTATE` name.
 * @param version docferry's own
 */
export function openTelemetry(
  version: string,
  { TRACEPARENT: traceparent, TRACESTATE: tracestate }: NodeJS.ProcessEnv = process.env,
): Telemetry {
  const headers = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  const base = propagation.extract(context.active(), traceparent === undefined ? {} : headers);
  return new Telemetry(instruments(version), base);
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

/** What a span or a figure has: few values each, as backends index them. */
export type TelemetryFacts = Readonly<Record<string, string | number | boolean>>;

/**
 * What a process reports to the tracing and metrics that its program has registered. A process whose
 * program has none gets no such thing, and doesn't load this file.
 */
export class Telemetry {
  readonly #instruments: Instruments;
  readonly #base: Context;
  readonly #span: Span | undefined;

  /**
   * @param base what is active where the program doesn't keep track of that
   * @param span what {@link set} and {@link fail} are about, if anything
   */
  constructor(instruments: Instruments, base: Context, span?: Span) {
    this.#instruments = instruments;
    this.#base = base;
    this.#span = span;
  }

  /**
   * Makes an action a span, of which everything is part that the action does, as far as the program
   * keeps track of that. What the action throws is reported, too.
   */
  async span<T>(
    name: string,
    facts: TelemetryFacts,
    action: (span: Telemetry) => Promise<T>,
  ): Promise<T> {
    const parent = this.#parent();
    const span = this.#instruments.tracer.startSpan(name, { attributes: facts }, parent);
    const within = trace.setSpan(parent, span);
    const opened = new Telemetry(this.#instruments, within, span);
    try {
      return await context.with(within, () => action(opened));
    } catch (error) {
      const { name: type, message } = error instanceof Error ? error : new Error(String(error));
      span.recordException({ name: type, message });
      opened.fail(type, message);
      throw error;
    } finally {
      span.end();
    }
  }

  set(facts: TelemetryFacts): void {
    this.#span?.setAttributes(facts);
  }

  /** The action failed without throwing. `type` is one of few. */
  fail(type: string, message: string): void {
    this.#span?.setAttribute('error.type', type);
    this.#span?.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  /** The same transport, whose calls are spans and are measured. */
  traced(transport: Transport): Transport {
    return {
      baseUrl: transport.baseUrl,
      send: (call) => this.#send(transport, call),
      close: () => transport.close(),
    };
  }

  /** Counts documents, or records that became none. */
  count(documents: number, facts: TelemetryFacts): void {
    this.#instruments.documents.add(documents, facts, this.#parent());
  }

  async #send(transport: Transport, call: Call): Promise<Exchange> {
    const { tracer, durations } = this.#instruments;
    const measured = measuredFacts(transport.baseUrl, call);
    const parent = this.#parent();
    const span = tracer.startSpan(
      `${call.method} ${measured['url.template']}`,
      { kind: SpanKind.CLIENT, attributes: { ...measured, ...ownFacts(transport.baseUrl, call) } },
      parent,
    );
    const within = trace.setSpan(parent, span);
    const startedMs = performance.now();
    try {
      const headers = span.isRecording() ? headersOf(within) : {};
      // An instrumentation of undici would report each request once more.
      const exchange = await context.with(within.setValue(SUPPRESSED, true), () =>
        transport.send({ ...call, headers }),
      );
      const end = endFacts(exchange);
      span.setAttributes(end);
      if ('error.type' in end) {
        const message = exchange.kind === 'answer' ? exchange.unusable : exchange.message;
        span.setStatus({
          code: SpanStatusCode.ERROR,
          ...(message === undefined ? {} : { message }),
        });
      }
      const seconds = (performance.now() - startedMs) / 1_000;
      durations.record(seconds, { ...measured, ...end }, within);
      return exchange;
    } finally {
      span.end();
    }
  }

  #parent(): Context {
    const active = context.active();
    return trace.getSpan(active) === undefined ? this.#base : active;
  }
}

/** What requests are measured by: few values each. The template is the same for all calls of a kind. */
function measuredFacts(baseUrl: string, { method, path }: Call): TelemetryFacts {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.template': path.replaceAll(/\/\d+(?=\/|$)/g, '/{id}'),
  };
}

/** What only a request's span has. A base URL with credentials in it is refused before. */
function ownFacts(baseUrl: string, { path, query, body, resends = 0 }: Call): TelemetryFacts {
  const size = body?.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return {
    'url.full': `${baseUrl}${path}${query === undefined ? '' : `?${query}`}`,
    ...(size === undefined ? {} : { 'http.request.body.size': size }),
    ...(resends === 0 ? {} : { 'http.request.resend_count': resends }),
  };
}

function endFacts(exchange: Exchange): TelemetryFacts {
  if (exchange.kind !== 'answer') {
    const timedOut = exchange.kind === 'no-answer' && exchange.timedOut;
    return { 'error.type': timedOut ? 'timeout' : exchange.kind };
  }
  const { status, unusable } = exchange;
  const type = status >= 400 ? `${status}` : unusable && 'unusable-answer';
  return { 'http.response.status_code': status, ...(type && { 'error.type': type }) };
}

/** By this name the SDK and instrumentations know that a library reports its requests itself. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

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

/** What the program's propagator writes for the service. */
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
