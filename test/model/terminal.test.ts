import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLines, displayWidth, PLAIN, paint, wrap } from '../../src/model/terminal.js';

const COLOR = { width: 40, color: true };
const wide = (width: number) => ({ width, color: false });

describe('wrap', () => {
  it('breaks between words, and indents what continues', () => {
    expect(wrap('one two three four', wide(9), 2)).toBe('one two\n  three\n  four');
    expect(wrap('one two three', wide(13), 2)).toBe('one two three');
    expect(wrap('a b c d\n  e f g', wide(5), 2)).toBe('a b c\n  d\n  e f\n  g');
  });

  it('leaves text that is not for a terminal as it is', () => {
    const text = `  ${'word '.repeat(500)}`;
    expect(wrap(text, PLAIN, 2)).toBe(text);
  });

  it('measures what is seen: wide characters take two columns, colours none', () => {
    expect(wrap('とても良い本です', wide(8), 2)).toBe('とても良\n  い本で\n  す');
    const painted = paint('one', 'good', COLOR);
    expect(wrap(`${painted} two three`, wide(7))).toBe(`${painted} two\nthree`);
  });

  it('loses nothing and exceeds the width only by single words', () => {
    const text = fc
      .array(fc.stringMatching(/^[a-zé本👩]{1,12}$/u), { minLength: 1 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), fc.nat({ max: 4 }), (line, width, by) => {
        const lines = wrap(line, wide(width), by).split('\n');
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
        for (const one of lines) {
          if (displayWidth(one) > width) expect(one.trim()).not.toContain(' ');
        }
      }),
    );
  });
});

describe('commandLines', () => {
  it('breaks a command that does not fit so that a shell reads it as one', () => {
    const command = "docferry import 'my file.csv' --mapping m.yaml";
    const lines = commandLines('Next:', command, wide(24));
    expect(lines).toBe("Next:\n  docferry import \\\n    'my file.csv' \\\n    --mapping m.yaml");
    const typed = execFileSync('sh', ['-c', lines.replace('Next:\n  docferry', 'printf "%s|"')]);
    expect(`${typed}`).toBe('import|my file.csv|--mapping|m.yaml|');
    expect(commandLines('Next:', 'docferry guess', wide(24))).toBe('Next: docferry guess');
    expect(commandLines('Next:', command, PLAIN)).toBe(`Next: ${command}`);
  });
});
