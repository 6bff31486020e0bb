import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableText } from '../../../src/cli/output/table.js';
import { CODE_POINT } from '../../helpers/code-point.js';

describe('table', () => {
  interface Named {
    readonly id: number;
    readonly name: string;
  }
  const columns = [
    { title: 'id', cell: ({ id }: Named) => id, align: 'right' as const },
    { title: 'name', cell: ({ name }: Named) => name },
  ];
  const show = (width: number, records: readonly Named[]) =>
    tableText(records, columns, { width, color: false });

  it('aligns its columns and shortens the last one to the terminal', () => {
    const name = 'A name that is much longer than that';
    expect(
      show(30, [
        { id: 7, name },
        { id: 1000, name: 'Ana' },
      ]),
    ).toBe('  id  name\n   7  A name that is much…\n1000  Ana\n');
  });

  it('counts wide characters as two columns, and never cuts one in half', () => {
    const lines = show(26, [{ id: 1, name: '旅館の部屋はとても静かでした' }]).split('\n');
    expect(lines[1]).toBe(' 1  旅館の部屋はとても静…');
    const family = '👨‍👩‍👧‍👦';
    expect(show(26, [{ id: 1, name: family.repeat(12) }])).toContain(`${family.repeat(10)}…`);
  });

  it('keeps every record on a line of its own, whatever its text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: CODE_POINT }), { minLength: 1 }), (names) => {
        const lines = show(
          80,
          names.map((name) => ({ id: 1, name })),
        ).split('\n');
        expect(lines).toHaveLength(names.length + 2);
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      }),
    );
  });
});
