import type { Flag } from './flags.js';

/** What is typed of a command's arguments, up to the word that is being typed. */
export interface Typed {
  /** The flags that are there and their values, by the first of a flag's names. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** How many words are neither flags nor their values. */
  readonly positionals: number;
  /** The flag whose value comes next. */
  readonly awaiting?: Flag | undefined;
  /** Whether no flag follows, whatever a word starts with: `--` is there. */
  readonly isLiteral: boolean;
}

/** Reads words as yargs does with a whole line. */
export function readTyped(words: readonly string[], flags: readonly Flag[]): Typed {
  const given: Record<string, string | undefined> = {};
  let positionals = 0;
  let awaiting: Flag | undefined;
  for (const [index, word] of words.entries()) {
    if (word === '--') {
      const behind = words.length - index - 1;
      return { given, positionals: positionals + behind, isLiteral: true };
    }
    const { named, value } = readFlags(word, flags);
    for (const flag of named) given[firstName(flag)] = value;
    // A lone - is stdin.
    if (word === '-' || !word.startsWith('-')) {
      if (awaiting === undefined) positionals += 1;
      else given[firstName(awaiting)] = word;
    }
    const last = named.at(-1);
    awaiting = last?.type === 'boolean' || value !== undefined ? undefined : last;
  }
  return { given, positionals, awaiting, isLiteral: false };
}

/** The name by which a flag is known in {@link Typed}. */
export function firstName({ names }: Flag): string {
  return names[0] ?? '';
}

/** The flags that a word names, several if they are short ones, and the value in it, which is the last one's. */
export function readFlags(
  word: string,
  flags: readonly Flag[],
): { readonly named: readonly Flag[]; readonly value?: string | undefined } {
  const [, dashes, text = '', value] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const written = dashes === '--' ? [text.replace(/^no-/, '')] : [...text];
  const named = written.flatMap((name) =>
    flags.filter(({ names, isPositional }) => !isPositional && names.includes(name)),
  );
  return { named, value };
}
