import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunDescription } from '../../../src/runs/description.js';
import { FolderStore } from '../../../src/runs/folder/store.js';
import { newFolder } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';

const DESCRIPTION = {} as RunDescription;

/** Another process, once it has printed something, with a `store` on the folder. */
async function another(stateDir: string, script: string) {
  const beginning = `
    import { FolderStore } from ${JSON.stringify(path.join(ROOT, 'dist/runs/folder/store.js'))};
    const store = new FolderStore(${JSON.stringify(stateDir)});
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', beginning + script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(child.stdout, 'data');
  return { child, printed: String(printed) };
}

/** Another process that has a run, until it is killed. */
async function holder(stateDir: string, id: string) {
  const { child } = await another(
    stateDir,
    `const held = await store.begin(${JSON.stringify(id)}, {});
     console.log('held');
     setInterval(() => held, 1000);`,
  );
  return child;
}

describe('a run', () => {
  it('belongs to one process, and to the next one as soon as that was killed', async () => {
    const stateDir = newFolder();
    const store = new FolderStore(stateDir);
    const child = await holder(stateDir, 'one');
    expect(await store.isRunning('one')).toBe(true);
    const asked = performance.now();
    await expect(store.take('one')).rejects.toThrow(/The run one is running: wait until it ends/);
    expect(performance.now() - asked).toBeLessThan(5_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await store.isRunning('one')).toBe(false);
    await (await store.take('one')).release();
  });

  it('is refused a second time within one process, and given after it was released', async () => {
    const store = new FolderStore(newFolder());
    const held = await store.begin('one', DESCRIPTION);
    await expect(store.take('one')).rejects.toThrow(/is running/);
    await held.release();
    const again = await store.take('one');
    expect(await store.isRunning('one')).toBe(true);
    await again.release();
    expect(await store.isRunning('one')).toBe(false);
  });

  it('is not taken for running because others look at it, too', async () => {
    const stateDir = newFolder();
    await (await new FolderStore(stateDir).begin('one', DESCRIPTION)).release();
    const look = `
      let running = 0;
      for (let i = 0; i < 1000; i++) if (await store.isRunning('one')) running += 1;
      console.log(running + ' of 1000');`;
    const looked = await Promise.all([1, 2, 3].map(() => another(stateDir, look)));
    expect(looked.map(({ printed }) => printed)).toEqual(Array(3).fill('0 of 1000\n'));
  });
});

describe('the lock of a monitoring', () => {
  it('is held until each run of its holder has released it, however often one does', async () => {
    const store = new FolderStore(newFolder());
    const target = { service: 'https://api.example.com/5.0', monitoring: 1 };
    const lock = (run: string, holder?: string) =>
      store.lockTarget({
        ...{ run, target, holder, timeoutMs: 0, notice: () => {} },
        signal: new AbortController().signal,
      });
    const [first, second] = [await lock('a', 'tap'), await lock('b', 'tap')];
    second.release();
    second.release();
    await expect(lock('c')).rejects.toThrow(/importing/);
    first.release();
    (await lock('c')).release();
  });
});
