import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import type { Started } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import {
  expectEachOnce,
  exportOf,
  namesIn,
  newRecipeFolder,
  putMany,
  type RecipeFolder,
  recipe,
  SLOW_AT_FIRST,
  start,
  stopInTheMiddle,
} from './recipe-folder.js';

/** A crontab as cron takes it: its variables, and the command behind the five fields of its line. */
function readCrontab(text: string): { env: Record<string, string>; command: string } {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const variables = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, value] as const];
  });
  const [line = ''] = lines.slice(variables.length);
  const [, command = ''] = /^(?:\S+ ){5}(.*)$/.exec(line) ?? [];
  return { env: Object.fromEntries(variables), command };
}

/** Runs the crontab's command as cron does: in /bin/sh, with nothing but these variables. */
function startByCron({ folder, here }: RecipeFolder): Started {
  const { env, command } = readCrontab(here(recipe('docferry.crontab')));
  const bare = { HOME: folder, LOGNAME: 'docferry', ...env };
  return start([env['SHELL'] as string, '-c', command], { cwd: folder, env: bare });
}

describe('docferry.crontab', { timeout: 180_000 }, () => {
  it.skipIf(!HAS.crontab)('is one that crontab takes', () => {
    const file = put(newFolder(), 'crontab', recipe('docferry.crontab'));
    const { status, stderr } = spawnSync('crontab', ['-n', file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  it('has a percent sign nowhere in the command, where cron would read a line break', () => {
    expect(readCrontab(recipe('docferry.crontab')).command).not.toContain('%');
  });

  longTest.skipIf(!HAS.flock)(
    'prints nothing if all is well, so that no mail is sent',
    async () => {
      const at = await newRecipeFolder();
      put(at.folder, 'incoming/a.csv', exportOf(3));
      expect(await startByCron(at).ended).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await shownDocuments(at.sandbox)).toHaveLength(3);
      expect(namesIn(at, '.')).toContain('import.log');
    },
  );

  longTest.skipIf(!HAS.flock)('prints the exit code otherwise, for the mail', async () => {
    const at = await newRecipeFolder();
    put(at.folder, 'incoming/a.csv', exportOf(3, { withInvalid: true }));
    const { stdout, stderr } = await startByCron(at).ended;
    expect(stdout).toBe(
      `import-exports ended with exit code 1: see ${path.join(at.folder, 'import.log')}\n`,
    );
    expect(stderr).toBe('');
  });

  longTest.skipIf(!HAS.flock)(
    'leaves a call alone that is still running, and resumes it later',
    async () => {
      const at = await newRecipeFolder(SLOW_AT_FIRST);
      putMany(at.folder, 'incoming/a.csv');
      const first = startByCron(at);
      while ((await shownDocuments(at.sandbox)).length === 0) await wait(20);
      expect(await startByCron(at).ended).toMatchObject({ code: 0, stdout: '' });
      process.kill(-(first.child.pid as number), 'SIGTERM');
      await first.ended;
      // The shell of cron ended with the signal, and docferry holds the lock until it has ended, too.
      while (namesIn(at, 'incoming').length > 0) await startByCron(at).ended;
      await expectEachOnce(at.sandbox);
    },
  );
});

/** The settings of a unit, in order: `Service.Environment` may be there several times. */
function settingsOf(unit: string): readonly (readonly [name: string, value: string])[] {
  let section = '';
  return unit.split('\n').flatMap((line) => {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[`${section}.${name}`, value] as const];
  });
}

function valuesOf(unit: string, name: string): readonly string[] {
  return settingsOf(unit).flatMap(([key, value]) => (key === name ? [value] : []));
}

/** Runs the service's command with what the unit says of its environment and credentials. */
function startBySystemd({ folder, bin, keyFile, here }: RecipeFolder): Started {
  const unit = here(recipe('docferry-import.service'));
  const [command = ''] = valuesOf(unit, 'Service.ExecStart');
  const [credential = ''] = valuesOf(unit, 'Service.LoadCredential');
  expect(credential).toBe(`api-key:${keyFile}`);
  const variables = valuesOf(unit, 'Service.Environment').map((line) =>
    line.replace('%d', path.dirname(keyFile)).split('='),
  );
  // The PATH that systemd gives to services, with the recipe's folder for programs.
  const env = { PATH: `${bin}:/usr/bin:/bin`, ...Object.fromEntries(variables) };
  return start(command.split(' '), { cwd: folder, env });
}

describe('docferry-import.service and .timer', { timeout: 180_000 }, () => {
  it.skipIf(!HAS.systemd)('are units that systemd takes without a complaint', async () => {
    const at = await newRecipeFolder();
    const files = ['docferry-import.service', 'docferry-import.timer'].map((name) =>
      put(at.folder, name, at.here(recipe(name))),
    );
    const checked = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
  });

  it('retry what a retry may cure, and nothing else', () => {
    const unit = recipe('docferry-import.service');
    expect(valuesOf(unit, 'Service.Restart')).toEqual(['on-failure']);
    expect(valuesOf(unit, 'Service.RestartPreventExitStatus')).toEqual(['1 2 3 5 70']);
    expect(valuesOf(unit, 'Service.SuccessExitStatus')).toEqual(['130']);
  });

  longTest('resume what was stopped with the unit', async () => {
    const at = await newRecipeFolder(SLOW_AT_FIRST);
    putMany(at.folder, 'incoming/a.csv');
    const stopped = await stopInTheMiddle(() => startBySystemd(at), at.sandbox);
    expect(stopped.code, stopped.stderr).toBe(130);
    expect((await startBySystemd(at).ended).code).toBe(0);
    await expectEachOnce(at.sandbox);
  });
});
