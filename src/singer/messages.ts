import { parse, stringify } from 'lossless-json';
import { parseJson } from '../formats/json/parse-json.js';
import { DocferryError, SourceBrokenError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import { typeText } from '../model/text.js';
import type { Line } from './lines.js';

/** A message of a tap, reduced to what an import needs. */
export type Message =
  | { readonly type: 'RECORD'; readonly stream: string; readonly record: object }
  | { readonly type: 'SCHEMA' | 'ACTIVATE_VERSION' | 'BATCH'; readonly stream: string }
  | { readonly type: 'STATE' }
  /** A type that isn't in the specification, which permits such messages. */
  | { readonly type: 'other'; readonly name: string };

type Fields = Readonly<Record<string, unknown>>;

/** A line that isn't a message, or not one that the config expects: a retry wouldn't help. */
export class MessageError extends DocferryError {
  override readonly name = 'MessageError';
  readonly exitCode = 2;
}

/** Numbers that Python writes, but JSON doesn't have, and the texts that may contain their names. */
const NOT_FINITE = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses a line of the tap's output. Numbers of a record that a double can't hold, `NaN` and
 * `Infinity` become text.
 * @throws MessageError naming the line if it isn't a message; SourceBrokenError if it is cut off
 */
export function readMessage({ number, text, isCutOff }: Line): Message {
  const start = (): { line: number; column: number } => ({ line: number, column: 1 });
  const parsed = parseJson(text, start);
  if ('problem' in parsed) {
    const quoted = text.replace(NOT_FINITE, (found) => (found[0] === '"' ? found : `"${found}"`));
    const finite = quoted === text ? parsed : parseJson(quoted, start);
    const message = 'value' in finite && isObject(finite.value) && toMessage(finite.value, number);
    // A state is written as it was read, and so has to be JSON.
    if (message && message.type === 'RECORD') return message;
    if (!isCutOff) throw lineError(number, parsed.problem.message);
    throw new SourceBrokenError(`Line ${number} is cut off: the tap ended in the middle of it.`);
  }
  if (!isObject(parsed.value)) {
    throw lineError(number, `is ${typeText(parsed.value)}; expected a message, a JSON object`);
  }
  return toMessage(parsed.value, number);
}

/** Creates the error for a line. The tap is at fault; messages before it stay valid. */
export function lineError(line: number, reason: string): MessageError {
  return new MessageError(`Line ${line} ${reason}.`);
}

/**
 * Returns the value of a STATE message as one line of JSON. Numbers are unchanged: a bookmark may
 * have more digits than a double holds.
 * @param text a line that was parsed as a STATE message
 */
export function stateValue(text: string): string {
  const message = parse(text, null, { onDuplicateKey: ({ newValue }) => newValue }) as {
    readonly value: unknown;
  };
  return stringify(message.value) as string;
}

function toMessage(fields: Fields, line: number): Message {
  const { type } = fields;
  if (typeof type !== 'string') {
    throw lineError(line, `has ${described('type', type)}; expected RECORD, SCHEMA, STATE, …`);
  }
  const kind = type.toUpperCase();
  switch (kind) {
    case 'RECORD':
      return recordMessage(fields, line);
    case 'STATE':
      if (!('value' in fields)) throw lineError(line, 'is a STATE message without a value');
      return { type: 'STATE' };
    case 'SCHEMA':
    case 'ACTIVATE_VERSION':
    case 'BATCH':
      return { type: kind, stream: streamOf(fields, line) };
    default:
      return { type: 'other', name: type };
  }
}

function recordMessage(fields: Fields, line: number): Message {
  const stream = streamOf(fields, line);
  const { record } = fields;
  if (isObject(record)) return { type: 'RECORD', stream, record };
  throw lineError(
    line,
    `is a RECORD message of the stream ${JSON.stringify(stream)} with ${described('record', record)}; expected an object`,
  );
}

function streamOf({ type, stream }: Fields, line: number): string {
  if (typeof stream === 'string') return stream;
  throw lineError(
    line,
    `is of type ${String(type).toUpperCase()} with ${described('stream', stream)}; expected the name of a stream`,
  );
}

/** `no record`, `a record that is a list` */
function described(name: string, value: unknown): string {
  return value === undefined ? `no ${name}` : `a ${name} that is ${typeText(value)}`;
}
