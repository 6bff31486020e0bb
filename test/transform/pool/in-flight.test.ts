import { describe, expect, it } from 'vitest';
import { InFlight } from '../../../src/transform/pool/in-flight.js';

const MIB = 1024 * 1024;

/** How many of equal size are taken in while nobody takes a result. */
async function taken(threads: number, bytes: number): Promise<number> {
  const inFlight = new InFlight<number>(threads);
  for (let count = 0; ; count += 1) {
    const full = new Promise<false>((resolve) => setImmediate(resolve, false));
    if (!(await Promise.race([inFlight.room(), full]))) return count;
    inFlight.add(bytes, Promise.resolve(count));
  }
}

describe('InFlight', () => {
  it('takes in three for each thread, fewer if they are large, and always one', async () => {
    expect(await taken(2, 100)).toBe(6);
    expect(await taken(8, 4 * MIB)).toBe(4);
    expect(await taken(8, 200 * MIB)).toBe(1);
  });

  it('has room again when a result is taken, and ends with what is under way', async () => {
    const inFlight = new InFlight<number>(1);
    const given: number[] = [];
    const fill = (async () => {
      for (let count = 0; count < 20 && (await inFlight.room()); count += 1) {
        inFlight.add(1, Promise.resolve(count));
      }
      inFlight.end();
    })();
    for await (const result of inFlight.results()) given.push(result);
    await fill;
    expect(given).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it('wants no more once it is closed', async () => {
    const inFlight = new InFlight<number>(1);
    for (let count = 0; count < 3; count += 1) inFlight.add(1, Promise.resolve(count));
    const room = inFlight.room();
    inFlight.close();
    expect(await room).toBe(false);
  });
});
