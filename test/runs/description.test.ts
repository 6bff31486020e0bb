import { describe, expect, it } from 'vitest';
import {
  changesSince,
  checkRepeatable,
  isRepeatable,
  type RunDescription,
} from '../../src/runs/description.js';

const run: RunDescription = {
  started: '2026-01-31T09:30:00.000Z',
  inputs: [
    { name: 'a.csv', path: '/data/a.csv', size: 10, modifiedMs: Date.UTC(2026, 0, 30) },
    { name: 'b.csv', path: '/data/b.csv', size: 20, modifiedMs: Date.UTC(2026, 0, 29) },
  ],
  inputKey: null,
  mapping: { name: 'Reviews', hash: 'm' },
  validation: 'v',
  reading: 'r',
  target: { service: 'https://api.example.com/5.0', monitoring: 7 },
  options: {},
};

const [a, b] = run.inputs as [RunDescription['inputs'][0], RunDescription['inputs'][0]];

describe('changesSince', () => {
  it.each<[string, Partial<RunDescription>, RegExp]>([
    ['the number of inputs', { inputs: [a] }, /there are 1 inputs, and there were 2/],
    [
      'an input',
      { inputs: [a, { ...b, path: '/x', name: 'x' }] },
      /the input is x, and it was b.csv/,
    ],
    ['a size', { inputs: [{ ...a, size: 11 }, b] }, /a.csv has 11 bytes, and it had 10/],
    [
      'a modification time',
      { inputs: [{ ...a, modifiedMs: Date.UTC(2026, 1, 1) }, b] },
      /a.csv was written 2026-02-01T00:00:00.000Z, and before that 2026-01-30/,
    ],
    ['the key', { inputKey: 'k' }, /the input's key is "k", and it was null/],
    ['the mapping', { mapping: { name: 'Reviews', hash: 'n' } }, /the mapping "Reviews" is not/],
    ['the schema', { validation: 'w' }, /the schema or profile is another one/],
    ['the dialect', { reading: 's' }, /to be read in another way/],
    [
      'the service',
      { target: { ...run.target, service: 'https://b' } },
      /the service is https:\/\/b, and it was https:\/\/api.example.com/,
    ],
    [
      'the monitoring',
      { target: { ...run.target, monitoring: 8 } },
      /monitoring is 8, and it was 7/,
    ],
  ])('names %s when it has changed, and nothing else', (_, change, message) => {
    expect(changesSince(run, { ...run, ...change })).toEqual([expect.stringMatching(message)]);
  });

  it('names all that has changed', () => {
    const now = { ...run, validation: 'w', reading: 's', inputs: [{ ...a, size: 11 }, b] };
    expect(changesSince(run, now)).toHaveLength(3);
  });

  it('does not mind when the run is resumed, nor with which other options', () => {
    const now = { ...run, started: '2026-02-01T00:00:00.000Z', options: { threads: 1 } };
    expect(changesSince(run, now)).toEqual([]);
  });
});

describe('checkRepeatable', () => {
  it('names inputs that are no files, unless they have a key', () => {
    const stdin = { name: 'stdin', path: null, size: null, modifiedMs: null };
    const once = { ...run, inputs: [a, stdin] };
    expect(() => checkRepeatable('r', run)).not.toThrow();
    expect(() => checkRepeatable('r', once)).toThrow(/: stdin could be read only once/);
    expect(() => checkRepeatable('r', { ...once, inputKey: 'k' })).not.toThrow();
    expect([run, once, { ...once, inputKey: 'k' }].map(isRepeatable)).toEqual([true, false, true]);
  });
});
