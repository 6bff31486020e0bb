/** From a mapping file, or an object of the same shape, to a checked mapping. */
import { basename } from 'node:path';
import { MappingError } from '../../model/errors.js';
import { readSmallText } from '../../model/small-file.js';
import { findMistakes } from '../check/find-mistakes.js';
import type { Mapping, WrittenMapping } from '../mapping.js';
import { type Locate, parseYaml } from './parse-yaml.js';
import { keepPlaces } from './written-places.js';

/**
 * Reads and checks a mapping file in YAML or JSON.
 *
 * @throws MappingError when it can't be read, or with everything that is wrong with it.
 */
export async function loadMapping(file: string): Promise<Mapping> {
  const text = await readSmallText(file, (reason, missing) => {
    if (!missing) return new MappingError(`the mapping file ${file} ${reason}`);
    return new MappingError(
      `there is no mapping file ${file}: check the path; docferry guess proposes a mapping for a file`,
    );
  });
  return parseMapping(text, file);
}

/**
 * Checks the text of a mapping; `name` is the file's name in messages.
 *
 * @throws MappingError with a line for each mistake: `name:line:column: …`
 */
export function parseMapping(text: string, name: string): Mapping {
  const { value, locate } = parseYaml(text, name);
  const mapping = checked(value, name, locate);
  keepPlaces(mapping, locate);
  return mapping;
}

/**
 * Checks a mapping that a program gives as an object.
 *
 * @throws MappingError with a line for each mistake, which names its place in the object.
 */
export function checkMapping(value: unknown, name: string): Mapping {
  return checked(value, name, () => ({ text: name, offset: 0 }));
}

function checked(value: unknown, name: string, locate: Locate): Mapping {
  const mistakes = findMistakes(value);
  if (mistakes.length > 0) {
    const located = mistakes.map(({ path, key, message }) => {
      const { text, offset } = locate(path, key);
      return { offset, line: `${text}: ${message}` };
    });
    located.sort((a, b) => a.offset - b.offset);
    throw new MappingError(located.map(({ line }) => line).join('\n'));
  }
  return withDefaults(value as WrittenMapping, name);
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
