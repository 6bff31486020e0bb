import { describe, expect, it } from 'vitest';
import { FolderStore } from '../../../src/runs/folder/store.js';
import { lockTarget } from '../../../src/runs/lock-target.js';
import { newFolder } from '../../helpers/files.js';

describe('the lock of a monitoring', () => {
  it('is held until each run of its holder has released it, however often one does', async () => {
    const store = new FolderStore(newFolder());
    const target = { service: 'https://api.example.com/5.0', monitoring: 1 };
    const lock = (run: string, holder?: string) =>
      lockTarget(
        store,
        { run, target, holder },
        {
          ...{ timeoutMs: 0, notice: () => {}, signal: new AbortController().signal },
        },
      );
    const [first, second] = [await lock('a', 'tap'), await lock('b', 'tap')];
    second.release();
    second.release();
    await expect(lock('c')).rejects.toThrow(/importing/);
    first.release();
    (await lock('c')).release();
  });
});
