import { defaultTextMapGetter, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parentInEnvironment } from '../../src/telemetry/trace-context.js';
import { runs } from '../helpers/runs.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What OpenTelemetry's own propagator reads in headers of these values. */
function asInHeaders(traceparent: string, tracestate?: string) {
  const headers = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  const propagator = new W3CTraceContextPropagator();
  return trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));
}

describe('the parent in the environment', () => {
  it('is that of TRACEPARENT and TRACESTATE', () => {
    const parent = parentInEnvironment({
      TRACEPARENT: `00-${TRACE}-${SPAN}-01`,
      TRACESTATE: 'vendor=a,other=b',
    });
    expect(parent).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
    expect(parent?.traceState?.serialize()).toBe('vendor=a,other=b');
  });

  it('is none where there is none', () => {
    expect(parentInEnvironment({})).toBeUndefined();
  });

  it('is what the propagator reads in headers, whatever is written there', () => {
    const hex = fc.constantFrom(...'0123456789abcdef');
    const part = (length: number) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.string({ unit: hex, minLength: length, maxLength: length }) },
        { weight: 1, arbitrary: fc.constantFrom('0'.repeat(length), 'f'.repeat(length)) },
        { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('A', 'g', ' ', '-') }) },
      );
    const written = fc
      .tuple(fc.constantFrom('00', '01', 'ff', 'fe'), part(32), part(16), part(2), MORE)
      .map(
        ([version, traceId, spanId, flags, more]) =>
          `${version}-${traceId}-${spanId}-${flags}${more}`,
      );
    fc.assert(
      fc.property(written, (TRACEPARENT) => {
        const expected = asInHeaders(TRACEPARENT);
        const found = parentInEnvironment({ TRACEPARENT });
        expect(found?.traceId).toBe(expected?.traceId);
        expect(found?.spanId).toBe(expected?.spanId);
        // Only the flag for sampled spans is defined.
        expect(found?.traceFlags).toBe(expected && expected.traceFlags & 1);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

const MORE = fc.constantFrom('', '', '', '-more', 'x');
