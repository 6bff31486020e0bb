import fc from 'fast-check';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { bigintArray, uuidArray } from '../../../src/cluster/postgres/database/binary-array.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest, runs } from '../../helpers/runs.js';

describe.skipIf(!HAS.postgres)('arrays in binary form', () => {
  longTest('are to Postgres what they are as text', async () => {
    const client = new pg.Client({ connectionString: await newDatabase() });
    await client.connect();
    const uuid = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));
    const bigint = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    await fc.assert(
      fc.asyncProperty(fc.array(uuid), fc.array(bigint), async (uuids, bigints) => {
        const hex = uuids.map((bytes) => bytes.toString('hex'));
        const { rows } = await client.query(
          'SELECT $1::uuid[] = $2::uuid[] AS uuids, $3::bigint[] = $4::bigint[] AS bigints',
          [uuidArray(hex), hex, bigintArray(bigints), bigints],
        );
        expect(rows).toEqual([{ uuids: true, bigints: true }]);
      }),
      { numRuns: runs(50) },
    );
    await client.end();
  });
});
