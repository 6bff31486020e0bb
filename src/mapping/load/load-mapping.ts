/** From a mapping file, or an object of the same shape, to a checked mapping. */
import { basename } from 'node:path';
import { MappingError, type MappingMistake } from '../../model/errors.js';
import { readSmallText } from '../../model/small-file.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import { findMistakes, type Mistake } from './find-mistakes.js';
import { type Locate, type MistakenText, parseYaml } from './parse-yaml.js';

/**
 * Reads and checks a mapping file in YAML or JSON.
 *
 * @throws MappingError when it can't be read, or with everything that is wrong with it.
 */
export async function loadMapping(file: string): Promise<Mapping> {
  return parseMapping(await readMappingText(file), file);
}

/**
 * The text of a mapping file.
 * @throws MappingError when it can't be read
 */
export function readMappingText(file: string): Promise<string> {
  return readSmallText(file, (reason, missing) => {
    if (!missing) return new MappingError(`the mapping file ${file} ${reason}`);
    return new MappingError(
      `there is no mapping file ${file}: check the path; docferry guess proposes a mapping for a file`,
    );
  });
}

/**
 * Checks the text of a mapping; `name` is the file's name in messages.
 *
 * @throws MappingError with a line for each mistake: `name:line:column: …`
 */
export function parseMapping(text: string, name: string): Mapping {
  const read = readMapping(text, name);
  if (!('mistakes' in read)) return read.mapping;
  throw refuseText(name, read.mistakes);
}

/** The error of a text's mistakes. */
export function refuseText(name: string, mistakes: readonly MappingMistake[]): MappingError {
  const lines = mistakes.map(
    ({ line, column, message }) => `${name}:${line}:${column}: ${message}`,
  );
  return new MappingError(lines.join('\n'), mistakes);
}

/** What a text says, the mapping that it is, and where its rules stand. */
export interface ReadMapping {
  readonly written: WrittenMapping;
  readonly mapping: Mapping;
  readonly locate: Locate;
}

/** A mapping and where its rules stand, or everything that is wrong with its text, in its order. */
export function readMapping(text: string, name: string): ReadMapping | MistakenText {
  const yaml = parseYaml(text);
  if ('mistakes' in yaml) return yaml;
  const { value, locate } = yaml;
  const mistakes = findMistakes(value).map((mistake) => located(mistake, locate));
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted((a, b) => a.offset - b.offset) };
  const written = value as WrittenMapping;
  const mapping = withDefaults(written, name);
  keepText(mapping, { name, text, locate });
  return { written, mapping, locate };
}

/**
 * Checks a mapping that a program gives as an object.
 *
 * @throws MappingError with a line for each mistake, which names its place in the object.
 */
export function acceptMapping(value: unknown, name: string): Mapping {
  const mistakes = findMistakes(value);
  if (mistakes.length === 0) return withDefaults(value as WrittenMapping, name);
  throw new MappingError(mistakes.map(({ message }) => `${name}: ${message}`).join('\n'));
}

/** A copy, so that what the program does with its object later changes nothing. */
function withDefaults(written: WrittenMapping, name: string): Mapping {
  const copy = structuredClone(written);
  const { asOf, document, duplicates, expects, input = {}, skip = [], tests = [] } = copy;
  return {
    name: written.name ?? basename(name).replace(/(?:\.mapping)?\.(?:ya?ml|json)$/u, ''),
    input,
    profile: written.profile ?? 'complete',
    zone: written.zone ?? 'UTC',
    locale: written.locale ?? 'en',
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(asOf === undefined ? {} : { asOf }),
    document,
    skip,
    tests,
    ...(expects === undefined ? {} : { expects }),
  };
}

/** The text that a mapping was read from. */
interface Written {
  /** The file's name in messages. */
  readonly name: string;
  readonly text: string;
  readonly locate: Locate;
}

/**
 * The texts that mappings were read from, for messages that come later than those of their own
 * mistakes. A mapping is plain data, told from others by what it says: this is kept beside it.
 */
const texts = new WeakMap<Mapping, Written>();

/** Keeps the text that a mapping was read from. */
export function keepText(mapping: Mapping, written: Written): void {
  texts.set(mapping, written);
}

/** The text that a mapping was read from; `undefined` if a program gave it or it is a copy. */
export function textOf(mapping: Mapping): Pick<Written, 'name' | 'text'> | undefined {
  return texts.get(mapping);
}

/** `file:line:column` of a rule, or the mapping's name if a program gave it or it is a copy. */
export function placeOf(mapping: Mapping, path: Mistake['path']): string {
  const written = texts.get(mapping);
  if (written === undefined) return mapping.name;
  const { line, column } = written.locate(path);
  return `${written.name}:${line}:${column}`;
}

/** Mistakes with their places; none if a program gave the mapping or it is a copy. */
export function inText(mapping: Mapping, mistakes: readonly Mistake[]): readonly MappingMistake[] {
  const written = texts.get(mapping);
  return written === undefined ? [] : mistakes.map((mistake) => located(mistake, written.locate));
}

/** A mistake with its place in the text. */
export function located({ path, key, message }: Mistake, locate: Locate): MappingMistake {
  const whole = key === undefined ? path : [...path, key];
  return { message, severity: 'error', ...locate(path, key), path: whole };
}
