import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/runs/state-address.js';

describe('the address of a shared state, as printed commands show it', () => {
  it('has what another command needs, and no secret', () => {
    const { shown } = readAddress(
      'postgres://ana:s3cret@db.example.com:5433/runs?may_lose_commits=true&sslmode=require&password=hunter2',
    );
    expect(shown).toBe(
      'postgres://ana@db.example.com:5433/runs?may_lose_commits=true&sslmode=require',
    );
  });

  it('is short without parameters', () => {
    expect(readAddress('postgres://db.example.com/runs').shown).toBe(
      'postgres://db.example.com/runs',
    );
  });
});
