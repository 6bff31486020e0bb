import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/**
 * The span that whoever started this process was in, if that is told in the environment, as the
 * specification of OpenTelemetry has it: `TRACEPARENT` and `TRACESTATE` in the form of W3C Trace
 * Context. What can't be read is as good as none.
 */
export function parentInEnvironment({
  TRACEPARENT: parent = '',
  TRACESTATE: state = '',
}: NodeJS.ProcessEnv): SpanContext | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = PARENT.exec(parent) ?? [];
  // Later versions may have more fields, version 00 may not.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & SAMPLED,
    isRemote: true,
    ...(state === '' ? {} : { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(context) ? context : undefined;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;
