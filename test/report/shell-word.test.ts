import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../src/model/text.js';
import { longTest } from '../helpers/runs.js';

describe('shellWord', () => {
  longTest('is read by a shell as it was, whatever is in it', () => {
    const texts = fc.sample(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      50,
    );
    for (const text of [...texts, "it's", '$(id)', '', '~/a b', '`x`', '-n']) {
      const command = `printf %s ${shellWord(text)}`;
      const read = execFileSync('sh', ['-c', command === 'printf %s ' ? "printf ''" : command]);
      expect(read.toString('utf8')).toBe(Buffer.from(text).toString('utf8'));
    }
  });

  it('leaves an ordinary word without quotes', () => {
    expect(shellWord('/var/lib/our-job')).toBe('/var/lib/our-job');
  });
});
