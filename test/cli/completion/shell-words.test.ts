import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWords } from '../../../src/cli/completion/shell-words.js';
import { runs } from '../../helpers/runs.js';

/** A word as somebody may write it. */
const QUOTED: readonly ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replaceAll(/[$`"\\]/g, '\\$&')}"`,
  (word) => word.replaceAll(/[^\w]/g, '\\$&'),
];
/** What has a meaning to a shell, and what has none. */
const WORDS = fc.array(
  fc.record({
    text: fc.string({ unit: fc.constantFrom(...'ab-=:/ $`"\'\\~{}<>*#é'), minLength: 1 }),
    quoted: fc.constantFrom(...QUOTED),
  }),
  { minLength: 1, maxLength: 4 },
);

describe('the words of a command line', () => {
  it('are those that were quoted, in whatever way', () => {
    const property = fc.property(WORDS, (words) => {
      const line = words.map(({ text, quoted }) => quoted(text)).join(' ');
      expect(shellWords(line)).toEqual(words.map(({ text }) => text));
    });
    fc.assert(property, { numRuns: runs(1_000) });
  });

  it('are those that bash makes of them', () => {
    const lines = [
      ...[`import 'a b' "c d" e\\ f`, `--state-dir="my state" --m='x'y"z"`, `a"b\\"c\\d"e`],
      ...['~/state ~x a~/b', `$HOME/x "\${HOME}/y" '$HOME' \\$HOME "\\$HOME"`],
    ];
    for (const line of lines) {
      const script = `printf '%s\\n' ${line}`;
      const bash = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
      expect(shellWords(line).join('\n')).toBe(bash.trimEnd());
    }
  });

  it.each([
    ['docferry ', ['docferry', '']],
    ['docferry "my fi', ['docferry', 'my fi']],
    ["docferry 'it", ['docferry', 'it']],
    ['docferry it\\', ['docferry', 'it']],
    ['docferry --x="', ['docferry', '--x=']],
    ['docferry  import\t-', ['docferry', 'import', '-']],
    ['docferry ~', ['docferry', homedir()]],
    ['docferry $NO_SUCH_VARIABLE', ['docferry', '$NO_SUCH_VARIABLE']],
  ])('of %j end with what is being typed', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });
});
