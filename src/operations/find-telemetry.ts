import type { Telemetry } from '../telemetry/telemetry.js';
import { ownVersion } from './cluster/version.js';

/** Where OpenTelemetry's API keeps what a program has registered with it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** What tells a program's tracing and metrics; `undefined`, and nothing is loaded, if it has none. */
export async function findTelemetry(): Promise<Telemetry | undefined> {
  if (!(REGISTRY in globalThis)) return undefined;
  const { openTelemetry } = await import('../telemetry/open-telemetry.js');
  return openTelemetry(ownVersion());
}
