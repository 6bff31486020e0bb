import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../src/delivery/classify-response.js';

const refusal = {
  errors: [{ message: 'documents[3].published is no date' }, { message: 'too bad' }],
};

function answer(status: number, json: unknown) {
  return verdictOf({ kind: 'answer', status, json }, 7);
}

describe('verdictOf', () => {
  it.each([
    ['a count that can be no text', 200, { accepted: true, documents: { toString: 1 } }, /whole/],
    [
      'accepted with errors beside it',
      200,
      { accepted: true, documents: 7, ...refusal },
      /but reported errors: documents\[3\]/,
    ],
  ])('says unknown for %s, and why', (_, status, json, message) => {
    const verdict = answer(status, json);
    expect(verdict).toMatchObject({ kind: 'unknown', message: expect.stringMatching(message) });
  });

  it.each([502, 503])(
    'takes a bare %i for throttling only if throttleStatuses says so',
    (status) => {
      const bare = { kind: 'answer', status, json: undefined } as const;
      expect(verdictOf(bare, 7).kind).toBe('unknown');
      expect(verdictOf(bare, 7, [429, status]).kind).toBe('throttled');
    },
  );

  it('shortens what the service says without end', () => {
    const verdict = answer(400, { errors: [{ message: 'x'.repeat(1_000_000) }] });
    expect(verdict).toHaveProperty('message', expect.stringMatching(/^.{2000,2050}$/));
  });

  it('never calls anything a success that does not say so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, json) => {
        const says = (json as { accepted?: unknown; documents?: unknown } | null) ?? {};
        const success =
          status >= 200 && status < 300 && says.accepted === true && says.documents === 7;
        expect(answer(status, json).kind === 'accepted').toBe(success);
      }),
    );
  });
});
