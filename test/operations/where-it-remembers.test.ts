import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importDocuments } from '../../src/index.js';
import { reportText } from '../../src/report/report-text.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';

const share = shareSandbox();

const mapping = minimalMapping({ language: 'en', published: '2024-06-03T00:00:00Z' });
const ROWS = 'id,text\n1,Good\n2,Bad\n3,So\n';

describe('where an import remembers', () => {
  it.each([
    [{}, 'stateDir is missing. Name a folder'],
    [{ stateDir: '' }, 'stateDir is empty. Name a folder'],
    [{ stateDir: true }, 'stateDir is a boolean. Name a folder'],
    [{ stateDir: 'here', state: 'postgres://x@localhost/x' }, 'Both state and stateDir are given'],
    [{ stateDir: false, resume: true }, 'resume has no effect with stateDir: false'],
  ])('has to be said before anything is opened: %o', async (place, message) => {
    const { sandbox: connection, monitoring } = await share();
    let isAsked = false;
    function* input(): Generator<object> {
      isAsked = true;
      yield { id: '1', text: 'Good' };
    }
    const options = { input: input(), mapping, monitoring, connection, ...place };
    const importing = importDocuments(options as ImportOptions);
    await expect(importing).rejects.toMatchObject({ name: 'OptionError', exitCode: 2 });
    await expect(importing).rejects.toThrow(message);
    expect(isAsked).toBe(false);
    expect(await shownDocuments(connection, monitoring)).toEqual([]);
  });

  it('may be nowhere, which the report says, its text, and a notice', async () => {
    const { sandbox: connection, monitoring } = await share();
    const input = put(newFolder(), 'reviews.csv', ROWS);
    const options = { input, mapping, monitoring, connection, stateDir: false } as const;
    const notices: string[] = [];
    const importing = importDocuments(options);
    for await (const event of importing) if (event.type === 'notice') notices.push(event.message);
    const report = await importing;
    const said = 'Nothing is remembered (stateDir is false)';
    expect(notices.join()).toContain(said);
    expect(report).toMatchObject({ remembered: false, resumable: false });
    expect(reportText(report)).toContain(said);
    const kept = await importDocuments({ ...options, stateDir: newFolder() });
    expect(kept.remembered).toBe(true);
    expect(reportText(kept)).not.toContain('remembered');
  });

  it('has to be a folder that can be written, named as it was given', async () => {
    const { sandbox: connection, monitoring } = await share();
    const cwd = newFolder();
    put(cwd, 'reviews.csv', ROWS);
    const stateDir = path.join(put(cwd, 'file', ''), 'state');
    const options = { input: path.join(cwd, 'reviews.csv'), mapping, monitoring, connection };
    const importing = importDocuments({ ...options, stateDir });
    await expect(importing).rejects.toMatchObject({ name: 'OptionError' });
    await expect(importing).rejects.toThrow(
      /^stateDir \S+ can't be written: \S+file isn't a folder\./,
    );
  });
});
