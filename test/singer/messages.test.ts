import { describe, expect, it } from 'vitest';
import { readMessage, stateValue } from '../../src/singer/messages.js';

const readText = (text: string, isCutOff = false) => readMessage({ number: 7, text, isCutOff });
const read = (message: unknown) => readText(JSON.stringify(message));

describe('readMessage', () => {
  it('reads the type whatever its case', () => {
    const message = { type: 'record', stream: 'users', record: { id: 1 } };
    expect(read(message)).toEqual({ type: 'RECORD', stream: 'users', record: { id: 1 } });
    expect(read({ type: 'State', value: 1 })).toEqual({ type: 'STATE' });
  });

  it('keeps numbers that a double cannot hold as they were written', () => {
    const text = '{"type":"RECORD","stream":"s","record":{"id":9007199254740993,"score":4.5}}';
    expect(readText(text)).toMatchObject({
      record: { id: '9007199254740993', score: 4.5 },
    });
  });

  it.each([
    ['ACTIVATE_VERSION', { type: 'ACTIVATE_VERSION', stream: 'users', version: 2 }],
    ['BATCH', { type: 'BATCH', stream: 'users', encoding: {}, manifest: [] }],
    ['SCHEMA', { type: 'SCHEMA', stream: 'users', schema: {}, key_properties: [] }],
  ])('knows %s', (type, message) => {
    expect(read(message)).toEqual({ type, stream: 'users' });
  });

  it.each([
    [[], 'Line 7 is a list; expected a message, a JSON object.'],
    [{}, 'Line 7 has no type; expected RECORD, SCHEMA, STATE, ….'],
    [
      { type: 'RECORD', record: {} },
      'Line 7 is of type RECORD with no stream; expected the name of a stream.',
    ],
    [
      { type: 'ACTIVATE_VERSION', stream: 7 },
      'Line 7 is of type ACTIVATE_VERSION with a stream that is a number; expected the name of a',
    ],
    [
      { type: 'RECORD', stream: 'users', record: [1] },
      'Line 7 is a RECORD message of the stream "users" with a record that is a list; expected an object.',
    ],
    [{ type: 'STATE' }, 'Line 7 is a STATE message without a value.'],
  ])('refuses %j', (message, says) => {
    expect(() => read(message)).toThrow(says);
  });

  it('refuses a line that is not JSON, with its place; a retry may help only if it is cut off', () => {
    const text = '{"type":"RECORD","stream":"users","rec';
    expect(() => readText(text)).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringMatching(
          /^Line 7 is not valid JSON: .*on line 7, column \d+; fix or remove it\.$/,
        ),
      }),
    );
    expect(() => readText(text, true)).toThrow(expect.objectContaining({ exitCode: 4 }));
  });

  it('reads NaN and Infinity of a record as text, and refuses them in a state', () => {
    const text =
      '{"type":"RECORD","stream":"s","record":{"a":NaN,"b":[-Infinity],"c":"NaN, \\"NaN"}}';
    const record = { a: 'NaN', b: ['-Infinity'], c: 'NaN, "NaN' };
    expect(readText(text)).toMatchObject({ record });
    expect(readText(text, true)).toMatchObject({ record });
    expect(() => readText('{"type":"STATE","value":NaN}')).toThrow('Line 7 is not valid JSON');
  });
});

describe('stateValue', () => {
  const valueIn = (value: string): string => stateValue(`{"type":"STATE", "value": ${value} }`);

  it.each(['{"users":2,"locations":1}', 'null', '"2017-07-07T10:20:00Z"', '[]', '-0'])(
    'gives the bare value %s',
    (value) => {
      expect(valueIn(value)).toBe(value);
    },
  );

  it('keeps every digit of a number, and every key', () => {
    const value = '{"lsn":12345678901234567890,"rate":1.0,"__proto__":{"constructor":1e400}}';
    expect(valueIn(value)).toBe(value);
  });
});
