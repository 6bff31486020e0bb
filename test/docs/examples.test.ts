import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { docferry, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

function read(name: string): string {
  return readFileSync(path.join(ROOT, 'docs/examples', name), 'utf8');
}

/** What the tests look at of a service in the compose file. */
interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly deploy: { readonly replicas: number };
}

const compose = parse(read('compose.yaml'), { merge: true });
const { import: importing, worker } = compose.services as Record<'import' | 'worker', Service>;
// biome-ignore lint/suspicious/noExplicitAny: what is in them is for Kubernetes to know.
const objects: any[] = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS());

const MAPPING = `name: Notes
profile: minimal
document: { sourceId: '{id}', text: '{text}', language: en, published: { from: at, date: iso } }
`;
const ROWS = Array.from({ length: 50 }, (_, at) => `${at},2024-06-03T16:30:00Z,Fine ${at}\n`);

describe('docs/examples', () => {
  it('type the same commands for compose and for Kubernetes', () => {
    const commands = objects.flatMap((object) =>
      (object.spec?.template.spec.containers ?? []).map((one: Service) => one.command),
    );
    expect(commands).toEqual([worker.command, importing.command]);
  });

  it('give what they run the same settings', () => {
    const [{ data }] = objects;
    const { DOCFERRY_STATE, PGPASSWORD, ...service } = worker.environment;
    expect(Object.keys(data)).toEqual(Object.keys(service));
    expect(importing).toMatchObject({ environment: worker.environment, volumes: worker.volumes });
    expect([DOCFERRY_STATE, PGPASSWORD].join()).not.toMatch(/:[^/@]+@/);
  });

  longTest.skipIf(!HAS.postgres)('import with the services of the compose file', async () => {
    const sandbox = await startWithMonitoring();
    const cwd = newFolder();
    put(cwd, 'mapping.yaml', MAPPING);
    put(cwd, 'hotels.csv', `id,at,text\n${ROWS.join('')}`);
    const state = new URL(await newDatabase());
    const { password } = state;
    state.password = '';
    const values: Record<string, string> = {
      DOCFERRY_STATE: state.href,
      PGPASSWORD: password,
      DOCFERRY_BASE_URL: sandbox.baseUrl,
      DOCFERRY_USERNAME: sandbox.username,
      DOCFERRY_API_KEY_FILE: put(cwd, 'api-key.txt', sandbox.apiKey),
    };
    const env = { ...worker.environment, ...values };
    const argsOf = ({ command }: Service): string[] =>
      command.slice(1).map((arg) => arg.replace('/data/exports', cwd).replace('/data', cwd));
    const workers = Array.from({ length: worker.deploy.replicas }, () =>
      startDocferry(argsOf(worker), { cwd, env }),
    );
    const imported = await docferry([...argsOf(importing), '--json'], { cwd, env });
    expect(imported.code, imported.stderr).toBe(0);
    expect(JSON.parse(imported.stdout).counts).toMatchObject({ read: 50, accepted: 50 });
    expect(await shownDocuments(sandbox)).toHaveLength(50);
    for (const { child } of workers) child.kill('SIGTERM');
    for (const { ended } of workers) expect((await ended).code).toBe(0);
  });
});
