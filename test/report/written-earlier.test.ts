import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { validateDocuments } from '../../src/index.js';
import { readReport } from '../../src/report/read-report.js';
import { newFolder, put } from '../helpers/files.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
const inFolder = (name: string) => path.join(folder, name);
const read = (name: string) => readFileSync(inFolder(name), 'utf8');

function validate(files: Record<string, string>): ReturnType<typeof validateDocuments> {
  const mapping = { profile: 'minimal', document: { sourceId: '{id}', text: '{text}' } } as const;
  const input = [{ id: '1', text: 'Good' }, { id: '2' }];
  const named = Object.entries(files).map(([option, name]) => [option, inFolder(name)]);
  return validateDocuments({ input, mapping, throwOn: 'never', ...Object.fromEntries(named) });
}

const BOTH = { reportFile: 'report.json', htmlFile: 'report.html' };

describe('a report of an earlier run', () => {
  it('is replaced by that of the next, as JSON and as a page', async () => {
    const first = await validate(BOTH);
    const second = await validate(BOTH);
    expect(second.run).not.toBe(first.run);
    expect(JSON.parse(read('report.json'))).toEqual({ ...second, seal: expect.any(String) });
    expect(readReport(inFolder('report.json'))).toEqual(second);
    expect(read('report.html')).toContain(second.run);
    expect(read('report.html')).not.toContain(first.run);
  });

  it('is the user’s with any change, and never replaced', async () => {
    const report = await validate(BOTH);
    const [json, page] = [read('report.json'), read('report.html')];
    const asText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
    const theirs: readonly [option: string, text: string][] = [
      ['reportFile', ''],
      ['reportFile', 'null\n'],
      ['reportFile', '{}\n'],
      ['reportFile', json + json],
      ['reportFile', JSON.stringify(report)],
      ['reportFile', asText(report)],
      ['reportFile', json.replace('"notices": []', '"notices": ["Ask Ana about record 2."]')],
      ['reportFile', json.replace('"read": 2', '"read": 3')],
      ['reportFile', json.replace('"seal"', '"note": "Ask Ana about record 2.",\n  "seal"')],
      ['reportFile', JSON.stringify(JSON.parse(json), null, 4)],
      ['reportFile', asText({ june: JSON.parse(json) })],
      ['reportFile', page],
      ['htmlFile', ''],
      ['htmlFile', json],
      ['htmlFile', page + page],
      ['htmlFile', page.replace('</main>', '<p>Ask Ana about record 2.</p></main>')],
      ['htmlFile', `${page}\n`],
    ];
    for (const [option, text] of theirs) {
      put(folder, 'theirs', text);
      await expect(validate({ [option]: 'theirs' }), text.slice(0, 80)).rejects.toThrow(
        'already exists',
      );
      expect(read('theirs')).toBe(text);
    }
  });

  it('is not replaced if another run wrote it meanwhile', async () => {
    for (const isThere of [false, true]) {
      const [file, other] = [`${isThere}.json`, `${isThere}-other.json`];
      if (isThere) await validate({ reportFile: file });
      await validate({ reportFile: other });
      const run = validate({ reportFile: file });
      for await (const { type } of run) {
        if (type === 'start') renameSync(inFolder(other), inFolder(file));
      }
      const report = await run;
      expect(report).toMatchObject({ exitCode: 4, unwritten: [{ path: inFolder(file) }] });
      expect(readReport(inFolder(file)).run).not.toBe(report.run);
      expect(readReport(inFolder(`${file}.${report.run}.part`))).toMatchObject({ exitCode: 1 });
    }
  });

  it('is not replaced through a link, and rejects are never', async () => {
    await validate({ ...BOTH, rejects: 'rejects.jsonl' });
    symlinkSync('report.json', inFolder('link.json'));
    await expect(validate({ reportFile: 'link.json' })).rejects.toThrow('already exists');
    await expect(validate({ rejects: 'rejects.jsonl' })).rejects.toThrow('already exists');
  });
});
