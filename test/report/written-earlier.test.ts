import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Report, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
const inFolder = (name: string) => path.join(folder, name);
const read = (name: string) => readFileSync(inFolder(name), 'utf8');

function validate(files: Record<string, string>): Promise<Report> {
  const mapping = { profile: 'minimal', document: { sourceId: '{id}', text: '{text}' } } as const;
  const input = [{ id: '1', text: 'Good' }, { id: '2' }];
  const named = Object.entries(files).map(([option, name]) => [option, inFolder(name)]);
  return validateDocuments({ input, mapping, ...Object.fromEntries(named) });
}

const BOTH = { reportFile: 'report.json', htmlFile: 'report.html' };

describe('a report of an earlier run', () => {
  it('is replaced by that of the next, as JSON and as a page', async () => {
    const first = await validate(BOTH);
    const second = await validate(BOTH);
    expect(second.run).not.toBe(first.run);
    expect(JSON.parse(read('report.json'))).toEqual(second);
    expect(read('report.html')).toContain(second.run);
    expect(read('report.html')).not.toContain(first.run);
  });

  it('of an earlier version, which had fewer fields, is replaced, too', async () => {
    const { notices: _, ...earlier } = await validate({});
    put(folder, 'report.json', `${JSON.stringify(earlier, null, 2)}\n`);
    await validate({ reportFile: 'report.json' });
    expect(JSON.parse(read('report.json'))).toHaveProperty('notices');
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
      ['reportFile', asText({ ...report, note: 'Ask Ana about record 2.' })],
      ['reportFile', asText({ june: report })],
      ['reportFile', page],
      ['htmlFile', ''],
      ['htmlFile', json],
      ['htmlFile', page + page],
      ['htmlFile', page.replace('<main>', '<main><p>Ask Ana about record 2.</p>')],
      ['htmlFile', `${page}\n`],
    ];
    for (const [option, text] of theirs) {
      put(folder, 'theirs', text);
      await expect(validate({ [option]: 'theirs' }), text.slice(0, 80)).rejects.toThrow(
        'is there already',
      );
      expect(read('theirs')).toBe(text);
    }
  });

  it('is not replaced through a link, and rejects are never', async () => {
    await validate({ ...BOTH, rejects: 'rejects.jsonl' });
    symlinkSync('report.json', inFolder('link.json'));
    await expect(validate({ reportFile: 'link.json' })).rejects.toThrow('is there already');
    await expect(validate({ rejects: 'rejects.jsonl' })).rejects.toThrow('is there already');
  });
});
