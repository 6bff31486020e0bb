import { utimesSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ImportOptions, importDocuments, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach } from '../helpers/run-cli.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const ROWS = Array.from({ length: 12 }, (_, n) => `r${n};Clean room ${n};${n + 2} days ago\n`);

let folder = '';
let input = '';
beforeEach(() => {
  folder = newFolder();
  input = put(folder, 'reviews.csv', `id;text;when\n${ROWS.join('')}`);
  const changed = new Date('2024-06-15T12:00:00Z');
  utimesSync(input, changed, changed);
});

function write(published: string, top = ''): string {
  const document = `sourceId: "{id}"\n  text: "{text}"\n  published: ${published}\n`;
  return put(folder, 'm.yaml', `${top}profile: minimal\ndocument:\n  ${document}`);
}

async function importBy(mapping: string, more: Partial<ImportOptions> = {}) {
  const connection = await startWithMonitoring();
  const options = { input, mapping, monitoring: 1, connection, stateDir: false } as const;
  return await importDocuments({ ...options, ...more } as ImportOptions);
}

const IF_STATED = '{ from: when, date: relative, asOf: if-stated }';

describe('relative dates without the day of the export', () => {
  it('let validate, preview and guess ask for it, with the last change of the file as a hint', async () => {
    write(IF_STATED);
    const lines = [
      ['validate', 'reviews.csv', '-m', 'm.yaml'],
      ['preview', 'reviews.csv', '-m', 'm.yaml', '--limit', '1'],
      ['guess', 'reviews.csv', '-o', 'guessed.yaml'],
    ];
    const [validated, previewed, guessed] = await docferryEach(lines, { cwd: folder });
    expect(validated).toMatchObject({ code: 0 });
    expect(validated?.stderr).toMatch(
      /docferry import reviews\.csv -m m\.yaml --as-of DATE --monitoring 1 --sandbox\nDATE is the day on which the export was made\. reviews\.csv was last changed on 2024-06-15\.\n$/,
    );
    expect(previewed?.stderr).toMatch(/--as-of DATE.*\nDATE is .* on 2024-06-15\.\n$/);
    expect(guessed?.stderr).toMatch(/Next: .* --as-of DATE\nDATE is .* on 2024-06-15\.\n$/);
  });

  it('keep an import from sending anything', async () => {
    const mapping = write(IF_STATED);
    const refused = importBy(mapping);
    await expect(refused).rejects.toMatchObject({ name: 'MappingError', exitCode: 2 });
    await expect(refused).rejects.toThrow(
      /^\S*m\.yaml:5:14: document\.published reads relative dates.* Nothing was sent.*\n.*--as-of DATE.* on 2024-06-15\.\n.*remove the rule\.$/,
    );
    expect((await importBy(mapping, { asOf: '2024-06-15' })).counts.accepted).toBe(12);
  });
});

describe('relative dates with a day in the mapping', () => {
  it('are noticed if the file was changed later', async () => {
    const mapping = write(IF_STATED, 'asOf: 2024-05-31\n');
    const later =
      /reviews\.csv was last changed on 2024-06-15, .* from 2024-05-31, the asOf of \S*m\.yaml\..*--as-of DATE/;
    expect((await validateDocuments({ input, mapping })).notices.join()).toMatch(later);
    expect((await importBy(mapping)).notices.join()).toMatch(later);
  });

  it.each([
    ['the file was changed on the next day', IF_STATED, '2024-06-14', {}],
    ['the caller states one', IF_STATED, '2024-05-31', { asOf: '2024-06-01' }],
    [
      'each record has its own',
      '{ from: when, date: relative, asOf: { value: "2024-06-01", date: iso } }',
      '2024-05-31',
      {},
    ],
  ])('are not noticed if %s', async (_, published, asOf, more) => {
    const mapping = write(published, `asOf: ${asOf}\n`);
    const { notices } = await validateDocuments({ input, mapping, ...more });
    expect(notices.join()).not.toContain('was last changed');
  });
});
