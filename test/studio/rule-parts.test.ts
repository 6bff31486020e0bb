import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/index.js';
import { compileRule } from '../../src/mapping/compile/compile-rule.js';
import { emptyIfUnread, findsWholeValues, readAs } from '../../src/operations/studio/rule-parts.js';

/** What a rule makes of a record whose score is this. */
function scoreOf(rule: Rule, score: string): unknown {
  const scope = { columns: ['Score'], zone: 'UTC', locale: 'en', asOf: undefined } as const;
  return compileRule(rule, scope)([score]);
}

describe('a rule that reads a value as another', () => {
  it('takes the latest of two for the same value, wherever the first was written', () => {
    for (const replace of [{ ',': '.', '^six$': 'seven' }, [{ '^six$': 'seven' }, { ',': '.' }]]) {
      const rule = readAs({ from: 'Score', replace, number: '.' }, 'six', '6');
      expect(scoreOf(rule, 'six'), JSON.stringify(rule)).toBe(6);
      expect(scoreOf(rule, '4,5')).toBe(4.5);
    }
  });

  it('is offered only where a value is still as in the file', () => {
    const column = { from: 'Score', number: '.' } as const;
    const listed = { from: 'Score', values: { good: 'B' }, unlisted: 'invalid' } as const;
    const whole: readonly Rule[] = [column, { ...column, replace: { ',': '.' } }, listed];
    const changed: readonly Rule[] = [
      { ...column, match: '^\\d' },
      { ...column, strip: 'html' },
      { ...column, repair: 'encoding' },
      { ...column, trim: false },
      { ...listed, case: 'lower' },
      { ...listed, split: ',' },
      { ...listed, replace: { '!': '' } },
    ];
    expect(whole.filter((rule) => !findsWholeValues(rule))).toEqual([]);
    expect(changed.filter((rule) => findsWholeValues(rule))).toEqual([]);
  });
});

describe('a rule that leaves the field empty where it can’t be read', () => {
  it('takes the place of no other fallback', () => {
    const rule = { from: 'Score', number: '.' } as const;
    const empty = emptyIfUnread(rule);
    expect(empty && scoreOf(empty, 'six')).toBeUndefined();
    const percent = { from: 'Score', match: '^(.+)%$', number: '.', else: rule } as const;
    expect(emptyIfUnread(percent)).toBeUndefined();
    expect(emptyIfUnread(3)).toBeUndefined();
  });
});
