import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunDescription } from '../../../src/runs/sqlite/description.js';
import { createRun, holdRun, isHeld, listRuns } from '../../../src/runs/sqlite/run-folders.js';
import { temporaryFolders } from '../../helpers/files.js';
import { ROOT } from '../../helpers/markdown.js';

const temporaryFolder = temporaryFolders();
const DESCRIPTION = {} as RunDescription;

/** Another process that has a run, until it is killed. */
async function holder(stateDir: string, id: string) {
  const script = `
    import { createRun } from ${JSON.stringify(path.join(ROOT, 'dist/runs/sqlite/run-folders.js'))};
    const held = createRun(${JSON.stringify(stateDir)}, ${JSON.stringify(id)}, {});
    console.log('held');
    setInterval(() => held, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('a run', () => {
  it('belongs to one process, and to the next one as soon as that was killed', async () => {
    const stateDir = temporaryFolder();
    const child = await holder(stateDir, 'one');
    expect(isHeld(stateDir, 'one')).toBe(true);
    const asked = performance.now();
    expect(() => holdRun(stateDir, 'one')).toThrow(/run one is under way in another process/);
    expect(performance.now() - asked).toBeLessThan(5_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isHeld(stateDir, 'one')).toBe(false);
    holdRun(stateDir, 'one').release();
  });

  it('is refused a second time within one process, and given after it was let go', () => {
    const stateDir = temporaryFolder();
    const held = createRun(stateDir, 'one', DESCRIPTION);
    expect(() => holdRun(stateDir, 'one')).toThrow(/under way/);
    held.release();
    const again = holdRun(stateDir, 'one');
    expect(isHeld(stateDir, 'one')).toBe(true);
    again.release();
    expect(isHeld(stateDir, 'one')).toBe(false);
  });

  it('is named with the latest one if it is not there', () => {
    const stateDir = temporaryFolder();
    expect(() => holdRun(stateDir, '20260101-x')).toThrow(/no run "20260101-x".*there are none/);
    for (const id of ['20260101-a', '20260102-b']) createRun(stateDir, id, DESCRIPTION).release();
    expect(listRuns(stateDir)).toEqual(['20260101-a', '20260102-b']);
    expect(() => holdRun(stateDir, '../..')).toThrow(/the latest is 20260102-b/);
  });
});
