import { positionalsOf } from '../command.js';
import { findCommand, type Named } from '../find-command.js';
import { type Flag, flagsOf } from './flags.js';
import { shellWords } from './shell-words.js';
import { firstName, readFlags, readTyped, type Typed } from './typed.js';
import { type Completion, type CompletionWord, NOTHING, offered, valuesOf } from './values.js';

/**
 * What can stand where the cursor is. Of `--flag=value` it is the value.
 * @param line a command line up to the cursor; its first word is the program
 * @throws OptionError if it names a command that there isn't
 */
export async function completeLine(line: string): Promise<Completion> {
  const [, ...typed] = shellWords(line);
  const current = typed.pop() ?? '';
  const { kind, words } = await possible(typed, current);
  const start = isFlagStart(current) ? current.replace(/^[^=]*=/s, '') : current;
  return { kind, words: words.filter(({ word }) => word.startsWith(start)) };
}

/** Of a lone `-`, a flag may yet come. */
function isFlagStart(word: string): boolean {
  return word.startsWith('-');
}

/** What can follow some words, however it starts. */
async function possible(before: readonly string[], current: string): Promise<Completion> {
  const isHelp = before[0] === 'help';
  const named = await findCommand(isHelp ? before.slice(1) : before);
  if (named.command !== undefined || isFlagStart(current)) {
    return isHelp ? NOTHING : await possibleArguments(named, current);
  }
  const names = named.choices.map(({ name, describe }) => ({ word: name, describe }));
  return offered(before.length === 0 ? [...names, HELP] : names);
}

const HELP: CompletionWord = { word: 'help', describe: 'Describe a command' };

async function possibleArguments(named: Named, current: string): Promise<Completion> {
  const flags = flagsOf(named.command);
  const typed = readTyped(named.rest, flags);
  const offerValues = async (flag: Flag | undefined): Promise<Completion> =>
    flag === undefined ? NOTHING : await valuesOf(flag, named.words, typed.given);
  if (isFlagStart(current) && !typed.isLiteral) {
    if (current.includes('=')) return await offerValues(readFlags(current, flags).named.at(-1));
    return offered(flagWords(flags, typed));
  }
  const awaited = typed.awaiting ?? positionalAt(typed.positionals, named, flags);
  if (awaited !== undefined || typed.isLiteral) return await offerValues(awaited);
  return offered(flagWords(flags, typed));
}

function positionalAt(place: number, named: Named, flags: readonly Flag[]): Flag | undefined {
  const all = positionalsOf(named.positionals);
  const last = all.at(-1);
  const name = (all[place] ?? (last?.isList ? last : undefined))?.name;
  return flags.find(({ names, isPositional }) => isPositional && names.includes(name ?? ''));
}

/** The flags that may still be given. */
function flagWords(flags: readonly Flag[], { given }: Typed): readonly CompletionWord[] {
  const isLeft = (flag: Flag): boolean =>
    flag.isRepeatable || !Object.hasOwn(given, firstName(flag));
  return flags
    .filter((flag) => !flag.isPositional && !flag.isHidden && isLeft(flag))
    .flatMap(({ names, describe, isNegatable }) => {
      const long = names.filter((name) => name.length > 1);
      const short = names.filter((name) => name.length === 1);
      return [
        ...long.map((name) => ({ word: `--${name}`, describe })),
        ...short.map((name) => ({ word: `-${name}`, describe })),
        ...(isNegatable ? long.map((name) => ({ word: `--no-${name}`, describe })) : []),
      ];
    })
    .toSorted((a, b) => (a.word < b.word ? -1 : 1));
}
