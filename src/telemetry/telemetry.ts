import type { Transport } from '../api/transport/http-transport.js';

/** What a span or a figure is told with: few values each, as backends index them. */
export type TelemetryFacts = Readonly<Record<string, string | number | boolean>>;

/**
 * What a process tells the tracing and metrics that its program has registered. Whoever has none
 * is given no such thing.
 */
export interface Telemetry {
  /**
   * Makes an action a span; what is told through `span` is part of it, and so is what the action
   * does, as far as the program keeps track of that. What the action throws is told, too.
   */
  span<T>(
    name: string,
    facts: TelemetryFacts,
    action: (span: TelemetrySpan) => Promise<T>,
  ): Promise<T>;
  /** The same transport, whose calls are spans and are measured. */
  traced(transport: Transport): Transport;
  /** Counts documents, or records that became none. */
  count(documents: number, facts: TelemetryFacts): void;
}

/** A span while its action lasts. */
export interface TelemetrySpan extends Telemetry {
  set(facts: TelemetryFacts): void;
  /** The action failed, which it says without throwing. `type` is one of few. */
  fail(type: string, message: string): void;
}
