import { parse, stringify } from 'lossless-json';

/**
 * The value of a STATE message as one line of JSON. Numbers stand as the tap wrote them: a bookmark
 * may have more digits than a double holds.
 * @param text a line that is known to be such a message
 */
export function stateValue(text: string): string {
  const message = parse(text, null, { onDuplicateKey: ({ newValue }) => newValue }) as {
    readonly value: unknown;
  };
  return stringify(message.value) as string;
}
