import { describe, expect } from 'vitest';
import { previewDocuments, type Report, validateDocuments } from '../../src/index.js';
import { eachSample, longTest } from '../helpers/runs.js';

const SLOW = { name: 'Slow', profile: 'minimal' } as const;
const ids = { sourceId: '{id}' };

/** Texts that an expression can match in so many ways that it never comes to its end. */
const HARD = `${'a'.repeat(60)}b`;

async function validate(document: object, texts: readonly string[], more = {}): Promise<Report> {
  const input = texts.map((text, id) => ({ id, text }));
  return await validateDocuments({ input, mapping: { ...SLOW, document }, ...more });
}

describe('an expression that takes too long', () => {
  eachSample()<[string, object, object]>([
    ['in match', { ...ids, text: { from: 'text', match: '^(a+)+$', else: 'x' } }, {}],
    ['in replace', { ...ids, text: { from: 'text', replace: { '(a|a)*c': 'x' } } }, {}],
    ['in a metric', { ...ids, text: 'x', metrics: { n: { from: 'text', match: '(a+)+c' } } }, {}],
    [
      'in a schema of the own',
      { ...ids, text: '{text}' },
      { schema: { properties: { text: { pattern: '^(a+)+$' } } } },
    ],
  ])('%s costs its record, and no other', async (_, document, more) => {
    const started = performance.now();
    const report = await validate(document, ['aaa', HARD, 'aaaa'], more);
    expect(report.counts).toMatchObject({ read: 3, invalid: 1, unsent: 2 });
    expect(report.problems[0]).toMatchObject({
      kind: 'slow-expression',
      examples: [{ record: 2, message: expect.stringMatching(/takes longer than 250 ms/) }],
    });
    // Without a bound it would be years.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  longTest('is named', async () => {
    const document = { ...ids, text: { from: 'text', replace: { x: 'y', '(a+)+c': '' } } };
    const report = await validate(document, [HARD]);
    expect(report.problems[0]?.examples[0]?.message).toContain('the expression "(a+)+c" takes');
  });

  longTest('in a condition of skip costs its record', async () => {
    const mapping = { ...SLOW, document: { ...ids, text: '{text}' } };
    const skip = [{ from: 'text', matches: '^(a+)+$' }];
    const input = ['aaa', HARD, 'b'].map((text, id) => ({ id, text }));
    const { counts } = await validateDocuments({ input, mapping: { ...mapping, skip } });
    expect(counts).toMatchObject({ skipped: 1, invalid: 1, unsent: 1 });
  });

  longTest('on a text of 1 MB costs its record too, however harmless it looks', async () => {
    const document = { ...ids, text: { from: 'text', replace: { '\\s+$': '', '\\d+x': '' } } };
    const report = await validate(document, ['1x a', `${'9'.repeat(1_000_000)}b`, 'b']);
    expect(report.counts).toMatchObject({ invalid: 1, unsent: 2 });
  });

  longTest('does not stop a preview', async () => {
    const mapping = { ...SLOW, document: { ...ids, text: { from: 'text', match: '^(a+)+$' } } };
    const input = [HARD, 'aaa'].map((text, id) => ({ id, text }));
    const shown: unknown[] = [];
    for await (const { problems } of previewDocuments({ input, mapping })) {
      shown.push(problems.map(({ kind }) => kind));
    }
    expect(shown).toEqual([['slow-expression'], []]);
  });
});
