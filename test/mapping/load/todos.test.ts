import { describe, expect, it } from 'vitest';
import { todosIn } from '../../../src/mapping/mapping-text.js';

describe('the TODO comments of a mapping', () => {
  it('are found with their lines, and go on over the comment lines below them', () => {
    const mapping = [
      'document:',
      '  # high: sure.',
      '  # TODO: state which number is the day,',
      '  # or ask.',
      '  published: { from: Date, date: d/M/yyyy }',
      '  language: en # TODO check this',
    ].join('\n');
    expect(todosIn(mapping)).toMatchObject([
      { line: 3, text: 'state which number is the day, or ask.' },
      { line: 6, text: 'check this' },
    ]);
  });

  it('are none where there are none', () => {
    expect(todosIn('document:\n  # what to do: nothing\n  text: "{TODO}"\n')).toEqual([]);
  });
});
