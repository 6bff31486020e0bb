/** An open file that is collected as garbage ends the process on newer Nodes. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderStore } from '../../../src/runs/folder/store.js';
import { rehearse } from '../../reliability/rehearsal.js';

/** The files below a folder that this process has open, as far as the system tells. */
function openBelow(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(folder) ? [path.basename(file)] : [];
    } catch {
      return [];
    }
  });
}

/** What keeps a run from being resumed. Some need rights that not every user has. */
const OBSTACLES: Readonly<Record<string, (journal: string, input: string) => unknown>> = {
  'its first line is damaged': (journal) => writeFileSync(journal, '{"crc":"00000000","n":1}\n'),
  'its input has changed': (_, input) => appendFileSync(input, '\n'),
  'its journal can not be cut to its last whole line': (journal) => {
    appendFileSync(journal, 'torn');
    execFileSync('chattr', ['+a', journal], { stdio: 'pipe' });
    onTestFinished(() => void execFileSync('chattr', ['-a', journal]));
  },
  'another process has it': async (journal) => {
    const [runs, id] = [path.dirname(path.dirname(journal)), path.basename(path.dirname(journal))];
    const held = await new FolderStore(path.dirname(runs)).take(id);
    onTestFinished(() => held.release());
  },
};

it.skipIf(process.platform !== 'linux').each(Object.keys(OBSTACLES))(
  'a resume leaves no journal open because %s',
  async (obstacle) => {
    const { run, folder, stateDir } = await rehearse({
      meddle: async ({ number }, pass) => (number === 2 ? 'reset' : await pass()),
    });
    const { run: resume } = await run({ onUnknown: 'hold' });
    const journal = path.join(stateDir, 'runs', resume, 'journal.jsonl');
    try {
      await OBSTACLES[obstacle]!(journal, path.join(folder, 'reviews.jsonl'));
    } catch {
      return;
    }
    const before = openBelow(stateDir).filter((name) => name === 'journal.jsonl');
    await expect(run({ resume })).rejects.toThrow(/journal\.jsonl|can't be resumed|is running/);
    expect(openBelow(stateDir).filter((name) => name === 'journal.jsonl')).toEqual(before);
  },
);
