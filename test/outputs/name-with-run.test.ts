import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameWithRun } from '../../src/outputs/output-file.js';

const RUN = '20260131-093000-ab12cd';
const SHARD = 'nightly-09:30/3';

/** Characters that a name may not have on Windows, slashes aside. */
const RESERVED = /[<>:"|?*]/;

describe('{run} in the name of an output', () => {
  it('becomes the id of the run, in each place', () => {
    expect(nameWithRun('out/{run}/{run}.csv', RUN)).toBe(`out/${RUN}/${RUN}.csv`);
    expect(nameWithRun('events.jsonl', RUN)).toBe('events.jsonl');
  });

  it('makes no folder of a shard’s id', () => {
    expect(nameWithRun('{run}.jsonl', SHARD, path.posix)).toBe('nightly-09:30-3.jsonl');
  });

  it.each([RUN, SHARD])('makes of %s a name that Windows allows', (id) => {
    const file = nameWithRun('C:\\out\\{run}.jsonl', id, path.win32);
    expect(path.win32.dirname(file)).toBe('C:\\out');
    expect(path.win32.basename(file)).not.toMatch(RESERVED);
  });
});
