import { describe, expect, it } from 'vitest';
import { reportHtml, validateDocuments } from '../../src/index.js';
import { nextCommand } from '../../src/report/next-command.js';
import type { Report } from '../../src/report/report.js';
import { newFolder, put } from '../helpers/files.js';
import { countsWith, reportWith } from './fixtures.js';

const RUN = '20260131-093000-ab12cd';
const validation = { command: 'validate', target: null } as const;
const named = (name: string): Pick<Report, 'inputs'> => ({
  inputs: reportWith().inputs.map((input) => ({ ...input, name })),
});
const invalid = { kind: 'missing-field', count: 1, fields: {}, examples: [] } as const;

describe('the next command', () => {
  it('of a page names the place of runs: another one would not know what was imported', async () => {
    const rehearsed = reportWith({
      target: { baseUrl: 'http://127.0.0.1:1/5.0', monitoring: 7 },
      counts: countsWith({ read: 2, accepted: 2 }),
      stateFlags: ['--state-dir', 'state'],
    });
    const page = await reportHtml(rehearsed);
    const commands = [...page.matchAll(/<code>(docferry (?:verify|import) [^<]*)/g)];
    expect(commands.length).toBeGreaterThan(1);
    for (const [, command] of commands) expect(command).toContain('--state-dir state');
  });

  it('of a page has the flags that its records were read with', async () => {
    const folder = newFolder();
    const rules = 'sourceId: "{id}", text: "{text}", metrics: { score: { from: stars } }';
    const mapping = put(folder, 'm.yaml', `name: M\nprofile: minimal\ndocument: { ${rules} }\n`);
    const input = put(folder, 'x.csv', 'id;text;stars\n1;Good;none\n');
    const source = { delimiter: ';', nulls: ['n/a', '-'] };
    const asOf = '2026-11-20';
    const report = await validateDocuments({ input, mapping, source, asOf, throwOn: 'never' });
    const page = await reportHtml(report);
    expect(page).toContain(
      `-m ${mapping} --as-of 2026-11-20 --delimiter ';' --nulls n/a --nulls - --invalid`.replaceAll(
        "'",
        '&#39;',
      ),
    );
  });

  it.each<[string, Partial<Report>, string]>([
    ['a good import', {}, `docferry verify ${RUN}`],
    [
      'a validation with invalid records',
      { ...validation, exitCode: 1, problems: [invalid] },
      'docferry preview reviews.csv -m hotel.yaml --invalid',
    ],
    ['no access', { exitCode: 3, status: 'stopped' }, 'docferry monitorings list'],
    [
      'an import that stopped',
      { exitCode: 4, resumable: true, counts: countsWith({ read: 2, unsent: 2 }) },
      `docferry runs resume ${RUN}`,
    ],
    [
      'an import that stopped at its limit on errors, which would stop it again',
      {
        exitCode: 4,
        resumable: true,
        stop: { kind: 'too-many-errors', message: '2 errors' },
        counts: countsWith({ read: 3, invalid: 2, unsent: 1 }),
      },
      `docferry runs resume ${RUN} --max-errors 100%`,
    ],
    [
      'an import whose shards are not all done',
      { exitCode: 4, resumable: true, stop: { kind: 'shards', message: '1 of 2 shards done' } },
      `docferry runs show ${RUN}`,
    ],
    [
      'unknown outcomes',
      { exitCode: 5, resumable: true, counts: countsWith({ read: 2, unknown: 2 }) },
      `docferry runs resolve ${RUN}`,
    ],
    [
      'a validation whose sourceIds repeat',
      { ...validation, exitCode: 1, problems: [{ ...invalid, kind: 'repeated-id' }] },
      'docferry validate reviews.csv -m hotel.yaml --rejects invalid-{run}.csv',
    ],
    [
      'a validation whose dates count back from an unknown day',
      { ...validation, needsAsOf: true },
      'docferry import reviews.csv -m hotel.yaml --as-of DATE --monitoring 1 --sandbox',
    ],
    [
      'documents that the service refused, which it would refuse again',
      { exitCode: 1, counts: countsWith({ read: 2, rejected: 2 }) },
      'docferry import reviews.csv -m hotel.yaml --monitoring 7',
    ],
    [
      'invalid records of an import',
      { exitCode: 1, counts: countsWith({ read: 2, invalid: 2 }), problems: [invalid] },
      'docferry preview reviews.csv -m hotel.yaml --invalid',
    ],
    [
      'an import of what earlier runs imported',
      { counts: countsWith({ read: 2, duplicate: 2 }) },
      'docferry runs list',
    ],
    [
      'a name that a shell would read otherwise',
      { ...validation, ...named('$(id) it.csv') },
      "docferry import '$(id) it.csv' -m hotel.yaml --monitoring 1 --sandbox",
    ],
    [
      'a name that looks like an option',
      { ...validation, ...named('-x.csv') },
      'docferry import ./-x.csv -m hotel.yaml --monitoring 1 --sandbox',
    ],
    [
      'a name that can’t be typed',
      { ...validation, ...named('a\u202eb.csv') },
      'docferry import FILES -m hotel.yaml --monitoring 1 --sandbox',
    ],
  ])('after %s', (_, changes, command) => {
    expect(nextCommand(reportWith(changes)).command).toBe(command);
  });
});
