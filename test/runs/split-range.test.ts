import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitRange } from '../../src/runs/run.js';
import { documentsOf } from '../helpers/documents.js';

describe('splitRange', () => {
  it('gives every document once, in order, in parts as long as can be', () => {
    const said = fc.array(fc.constantFrom('a', 'b', undefined), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(said, fc.nat(5), (says, from) => {
        const all = [...Array.from({ length: from }, () => 'before'), ...says];
        const documents = documentsOf(all.map((_, id) => ({ sourceId: `${id}` })));
        const range = { documents, from, to: all.length };
        const parts = [...splitRange(range, (document) => all[document])];
        const told = parts.flatMap(([part, what]) =>
          Array.from({ length: part.to - part.from }, (_, at) => [part.from + at, what]),
        );
        expect(told).toEqual(says.map((what, at) => [from + at, what]));
        for (const [at, [, what]] of parts.entries()) {
          if (at > 0) expect(what).not.toBe(parts[at - 1]?.[1]);
        }
      }),
    );
  });
});
