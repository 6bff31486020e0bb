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
  it('accepts only a 2xx answer that says accepted and counts exactly what was sent', () => {
    expect(answer(200, { accepted: true, documents: 7 })).toEqual({
      kind: 'accepted',
      message: '',
    });
    expect(answer(201, { accepted: true, documents: 7, more: 1 })).toEqual({
      kind: 'accepted',
      message: '',
    });
  });

  it.each([
    ['a short count', 200, { accepted: true, documents: 6 }, /took 6 of 7/],
    ['a count that is text', 200, { accepted: true, documents: '7' }, /"documents" is not a whole/],
    ['no count', 200, { accepted: true }, /"documents" is not a whole number/],
    ['a count that can be no text', 200, { accepted: true, documents: { toString: 1 } }, /whole/],
    ['lists of lists', 200, [[{ toString: 1 }]], /it is no object/],
    ['accepted false', 200, { accepted: false, documents: 7 }, /did not say accepted/],
    [
      'an error object with a 2xx status',
      200,
      refusal,
      /"accepted" is not true or false: documents\[3\]/,
    ],
    [
      'accepted with errors beside it',
      200,
      { accepted: true, documents: 7, ...refusal },
      /errors beside it: documents\[3\]/,
    ],
    ['no JSON', 200, undefined, /without readable JSON/],
    ['a list', 200, [], /it is no object/],
    ['a redirect', 302, undefined, /answered 302/],
    ['a 408 with an error object', 408, refusal, /answered 408: documents\[3\]/],
    ['a 400 without an error object', 400, { oops: 1 }, /answered 400/],
    ['a 500 with an error object', 500, refusal, /answered 500: .*too bad/],
    ['a 503 page', 503, undefined, /answered 503/],
  ])('says unknown for %s', (_, status, json, message) => {
    const verdict = answer(status, json);
    expect(verdict.kind).toBe('unknown');
    expect(verdict).toHaveProperty('message', expect.stringMatching(message));
  });

  it('rejects for an error object with a 4xx status, and passes all its messages on', () => {
    expect(answer(400, refusal)).toEqual({
      kind: 'rejected',
      message: 'the service refused (400): documents[3].published is no date; too bad',
    });
    expect(answer(413, refusal).kind).toBe('rejected');
  });

  it.each([
    ['429 of the service', 429, refusal, undefined],
    ['429 of a gateway, in HTML', 429, undefined, undefined],
    ['503 with an error object', 503, refusal, undefined],
    ['503 that says when to come back', 503, undefined, '5'],
  ])('says throttled, so not taken, for a %s', (_, status, json, retryAfter) => {
    const exchange = { kind: 'answer', status, json, ...(retryAfter && { retryAfter }) } as const;
    expect(verdictOf(exchange, 7)).toMatchObject({ kind: 'throttled' });
    // As --throttle-status says.
    expect(verdictOf(exchange, 7, [502]).kind).not.toBe('throttled');
    expect(verdictOf({ kind: 'answer', status: 502, json }, 7, [502]).kind).toBe('throttled');
  });

  it('says no access for 401, 403 and 404', () => {
    for (const status of [401, 403, 404]) expect(answer(status, refusal).kind).toBe('no-access');
  });

  it('says no access for a status about credentials, whoever gives it, as nobody has looked at the rest', () => {
    for (const status of [401, 403, 407]) {
      expect(answer(status, undefined).kind).toBe('no-access');
      expect(answer(status, { oops: 1 }).kind).toBe('no-access');
    }
  });

  it('takes 413 for a refusal whoever gives it', () => {
    expect(answer(413, undefined)).toEqual({
      kind: 'rejected',
      message: 'the service refused (413)',
    });
  });

  it.each([302, 307, 404, 405, 411, 415, 511])(
    'leaves documents unknown at a %i that is not from the service, and says that the next would meet the same',
    (status) => {
      expect(answer(status, undefined)).toMatchObject({
        kind: 'unknown',
        unexpectedResponder: true,
      });
      const other = answer(400, undefined);
      expect(other).toMatchObject({ kind: 'unknown' });
      expect(other).not.toHaveProperty('unexpectedResponder');
    },
  );

  it('shortens what the service says without end', () => {
    const verdict = answer(400, { errors: [{ message: 'x'.repeat(1_000_000) }] });
    expect(verdict).toHaveProperty('message', expect.stringMatching(/^.{2000,2050}$/));
  });

  it('keeps requests that never left apart from those that got no answer', () => {
    const refused = verdictOf({ kind: 'not-sent', message: 'connect ECONNREFUSED' }, 1);
    expect(refused).toEqual({ kind: 'unsent', message: 'connect ECONNREFUSED' });
    const reset = verdictOf({ kind: 'no-answer', message: 'read ECONNRESET' }, 1);
    expect(reset).toEqual({ kind: 'unknown', message: 'no answer came: read ECONNRESET' });
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
