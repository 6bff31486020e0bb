import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { put } from '../../helpers/files.js';
import { startServer } from '../../helpers/http-server.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import type { Started } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import {
  expectEachOnce,
  exportOf,
  MANY,
  namesIn,
  newRecipeFolder,
  type RecipeFolder,
  recipe,
  SLOW_AT_FIRST,
  start,
  stopInTheMiddle,
} from './recipe-folder.js';

/** Serves an export with the time at which it was last changed, as a web server does. */
async function serveExport(text: string): Promise<string> {
  const server = await startServer((_, response) => {
    response.setHeader('last-modified', 'Sun, 22 Nov 2026 23:00:00 GMT');
    response.end(text);
  });
  return `${server.baseUrl}/export.csv`;
}

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const workflow = parse(recipe('github-actions.yaml'));
const steps: readonly Step[] = workflow.jobs.import.steps;

/** Starts a step as a runner does, with what expressions stand for in place of them. */
function startStep(at: RecipeFolder, name: string, values: Record<string, string>): Started {
  const { run = '', env = {} } = steps.find((step) => step.name === name) ?? {};
  const given = Object.entries(env).map(([key, text]) => {
    const [, value = ''] = /^\$\{\{ (?:vars|secrets)\.(\w+) \}\}$/.exec(text) ?? [];
    return [key, values[value] ?? `${value} is missing`];
  });
  const script = put(at.folder, 'step.sh', run);
  return start(['bash', '-e', script], {
    cwd: at.folder,
    env: {
      PATH: `${at.bin}:/usr/local/bin:/usr/bin:/bin`,
      GITHUB_RUN_ID: '17',
      GITHUB_STEP_SUMMARY: path.join(at.folder, 'summary.md'),
      RUNNER_TEMP: path.dirname(at.folder),
      ...Object.fromEntries(given),
    },
  });
}

async function variables(at: RecipeFolder, text: string): Promise<Record<string, string>> {
  return {
    DOCFERRY_BASE_URL: at.sandbox.baseUrl,
    DOCFERRY_USERNAME: at.sandbox.username,
    DOCFERRY_API_KEY: at.sandbox.apiKey,
    DOCFERRY_STATE: await newDatabase(),
    EXPORT_URL: await serveExport(text),
  };
}

const isMet = HAS.postgres && HAS.curl;

describe('github-actions.yaml', { timeout: 180_000 }, () => {
  it('uses secrets and variables in env only, where they are no part of a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  longTest.skipIf(!isMet)(
    'warns of invalid records, and shows the report in the summary',
    async () => {
      const at = await newRecipeFolder();
      const values = await variables(at, exportOf(3, { withInvalid: true }));
      expect((await startStep(at, 'Fetch the export', values).ended).code).toBe(0);
      const imported = await startStep(at, 'Import', values).ended;
      expect(imported.code, imported.stderr).toBe(0);
      expect(imported.stdout).toMatch(/^::warning title=docferry::some records are invalid/m);
      expect(imported.stdout).not.toContain(at.sandbox.apiKey);
      expect(readFileSync(path.join(at.folder, 'summary.md'), 'utf8')).toMatch(
        /^```\n! Finished: 3 of 4 .*invalid {4}1 .*^```$/ms,
      );
      expect(namesIn(at, 'results')).toHaveLength(3);
      expect(await shownDocuments(at.sandbox)).toHaveLength(3);
    },
  );
});

const gitlab = parse(recipe('gitlab-ci.yaml'))['import reviews'];

/** Starts the script of the job as a runner does: line after line, until one fails. */
function startJob(at: RecipeFolder, values: Readonly<Record<string, string>>): Started {
  const lines = gitlab.script.join('\n');
  const script = put(at.folder, 'job.sh', lines);
  return start(['bash', '-eo', 'pipefail', script], {
    cwd: at.folder,
    env: {
      PATH: `${at.bin}:/usr/local/bin:/usr/bin:/bin`,
      CI_PIPELINE_ID: '17',
      ...values,
    },
  });
}

describe('gitlab-ci.yaml', { timeout: 180_000 }, () => {
  it('retries what a retry may cure, and warns of invalid records', () => {
    expect(gitlab.retry.exit_codes).toEqual([4, 130]);
    // With it, every exit code would be retried.
    expect(gitlab.retry.when).not.toContain('script_failure');
    expect(gitlab.allow_failure).toEqual({ exit_codes: [1] });
  });

  longTest.skipIf(!isMet)('imports, and resumes in a retried job', async () => {
    const at = await newRecipeFolder(SLOW_AT_FIRST);
    const { DOCFERRY_API_KEY: _, ...values } = await variables(
      at,
      exportOf(MANY, { withInvalid: true }),
    );
    const job = { ...values, DOCFERRY_API_KEY_FILE: at.keyFile };
    const stopped = await stopInTheMiddle(
      () => startJob(at, job),
      at.sandbox,
      (pid) => process.kill(-pid, 'SIGTERM'),
    );
    expect(stopped.code).not.toBe(0);
    // The next job starts without anything, and fetches the export again.
    for (const name of ['export-17.csv', 'results']) {
      rmSync(path.join(at.folder, name), { recursive: true, force: true });
    }
    const resumed = await startJob(at, job).ended;
    expect(resumed.code, resumed.stderr).toBe(1);
    await expectEachOnce(at.sandbox);
    expect(namesIn(at, 'results')).toHaveLength(3);
  });
});
