import { expect, it } from 'vitest';
import { readFlags } from '../../src/cli/options/flags.js';
import { SOURCE_OPTIONS } from '../../src/formats/options.js';
import { toFlags } from '../../src/model/options.js';

it.each([
  { nulls: ['N/A', 'x y'] },
  { sheet: ['May', 'June 2'] },
  { quote: null },
  { delimiter: '\t', skipLines: 2 },
])('options that a suggested command repeats are read as they were given: %o', (options) => {
  // What yargs makes of the words: one value, or a list where a flag is repeated.
  const parsed: Record<string, string | number | (string | number)[]> = {};
  const words = toFlags(SOURCE_OPTIONS, options);
  for (let at = 0; at < words.length; at += 2) {
    const [flag = '', word = ''] = [words[at]?.slice(2), words[at + 1]];
    const value = /^\d+$/.test(word) ? Number(word) : word.replace(/^'(.*)'$/, '$1');
    const before = parsed[flag];
    parsed[flag] = before === undefined ? value : [before, value].flat();
  }
  expect(readFlags(SOURCE_OPTIONS, parsed)).toEqual(options);
});
