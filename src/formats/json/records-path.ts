/** The option `records`: where the records of a JSON document, or of each JSON line, are. */
import { OptionError } from '../../model/errors.js';
import { EACH, type PathStep, parsePath } from '../../model/json-path.js';

/** Keys and indexes from a value to one inside it. */
export type JsonPath = readonly (string | number)[];

/** `data.products[].reviews[]`, divided at its `[]`. */
export interface RecordsPath {
  /** Path of the outermost list. */
  readonly list: JsonPath;
  /** Whether the outermost list may be an object with the elements as its values: `products[]`. */
  readonly each: boolean;
  /** Path from an element to its list, then from each list's elements to the next list. */
  readonly inside: readonly JsonPath[];
}

/** @throws OptionError */
export function parseRecordsPath(records: string): RecordsPath {
  const steps = parsePath(records);
  if (steps === undefined || steps.length === 0) {
    throw OptionError.of(
      'records',
      `is ${JSON.stringify(records)}; expected the path of a list, for example result.reviews, pages[0].items or products[].reviews[]. A key with a dot goes in quotes: ['Room.Service'].`,
    );
  }
  const [list = [], ...inside] = splitAtEach(steps);
  return { list, each: steps.includes(EACH), inside };
}

function splitAtEach(steps: readonly PathStep[]): readonly JsonPath[] {
  const paths: (string | number)[][] = [[]];
  for (const step of steps) {
    if (step === EACH) paths.push([]);
    else paths.at(-1)?.push(step);
  }
  // The last `[]` may be left out.
  if (steps.at(-1) === EACH) paths.pop();
  return paths;
}
