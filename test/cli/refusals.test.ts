import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { docferry, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = `
name: Reviews
document:
  sourceId: '{id}'
  text: '{text}'
  language: '{language}'
  published: { value: '2024-06-03T16:30:00Z', date: iso }
  sentiment: '{sentiment}'
`;

/** Ten records, one of which the sandbox refuses, though the schema lets it pass. */
async function importToSandbox(...more: readonly string[]): Promise<Ended & { cwd: string }> {
  const cwd = newFolder();
  const rows = Array.from({ length: 10 }, (_, id) => `r${id},Good,en,${id === 4 ? 'X' : 'B'}`);
  put(cwd, 'r.csv', `${['id,text,language,sentiment', ...rows].join('\n')}\n`);
  put(cwd, 'm.yaml', MAPPING);
  put(cwd, 'any.json', '{}');
  const args = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1', '--schema', 'any.json'];
  const ended = await docferry([...args, '--sandbox', '--report', 'report.json', ...more], { cwd });
  return { ...ended, cwd };
}

function reportOf({ cwd }: { cwd: string }): Report {
  return JSON.parse(readFileSync(path.join(cwd, 'report.json'), 'utf8')) as Report;
}

longTest('the embedded sandbox is known to be atomic, so no refusal is checked', async () => {
  const ended = await importToSandbox();
  expect(ended.code).toBe(1);
  const report = reportOf(ended);
  expect(report.counts).toMatchObject({ accepted: 9, rejected: 1 });
  expect(report.notices.join()).not.toContain('refus');
});
