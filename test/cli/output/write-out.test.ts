import { execFile } from 'node:child_process';
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

  it('ends quietly, and lets its supplier clean up, when the reader has gone', async () => {
    const { stdin } = execFile(process.execPath, ['-e', 'process.stdin.destroy()']);
    if (stdin === null) throw new Error('no stdin');
    stdin.on('error', () => {});
    let cleaned = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        cleaned = true;
      }
    }
    expect(await writeOut(endless(), stdin)).toBe(false);
    expect(cleaned).toBe(true);
  });

  it('throws what else the stream says', async () => {
    const full = new Writable({ write: (_chunk, _, done) => done(new Error('no space left')) });
    full.on('error', () => {});
    await expect(writeOut(['a'], full)).rejects.toThrow('no space left');
  });
});
