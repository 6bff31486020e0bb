import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { writeOut } from '../../../src/cli/output/print-records.js';

describe('writeOut', () => {
  it('asks for the next text only when the last one has been taken', async () => {
    const log: string[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk, _, done) => {
        setImmediate(() => {
          log.push(`took ${chunk}`);
          done();
        });
      },
    });
    async function* texts(): AsyncGenerator<string> {
      for (const text of ['a', 'b', 'c']) {
        log.push(`asked ${text}`);
        yield text;
      }
    }
    expect(await writeOut(texts(), slow)).toBe(true);
    expect(log).toEqual(['asked a', 'took a', 'asked b', 'took b', 'asked c', 'took c']);
  });
});
