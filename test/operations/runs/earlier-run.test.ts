import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importDocuments, pruneRuns, reportHtml } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';

/** Imports texts of reviews into a sandbox, all with one state folder. */
async function importer(statuses: readonly number[] = []) {
  const rules = statuses.map((status, at) => ({
    on: 'import' as const,
    requests: [at + 2],
    status,
  }));
  const connection = await startWithMonitoring({ faults: { rules } });
  const folder = newFolder();
  const stateDir = path.join(folder, 'state');
  let file = 0;
  const bringIn = async (
    texts: readonly string[],
    more: Partial<ImportOptions> = {},
    header = 'id,text',
  ) => {
    file += 1;
    const lines = texts.map((text, at) => `${file}-${at},${text}`);
    return await importDocuments({
      input: put(folder, `${file}.csv`, `${[header, ...lines].join('\n')}\n`),
      mapping: minimalMapping(),
      ...{ monitoring: 1, connection, throwOn: 'never' },
      stateDir,
      ...more,
    });
  };
  return { stateDir, bringIn };
}

describe('the earlier run in the report of an import', () => {
  it('is the last one that finished, even if it was pruned', async () => {
    const { stateDir, bringIn } = await importer([401]);
    const first = await bringIn(['Good', '']);
    expect(first).toMatchObject({ status: 'finished', earlier: null });
    expect(await bringIn(['Fine'])).toMatchObject({
      status: 'stopped',
      earlier: {
        run: first.run,
        started: first.started,
        sources: first.inputs.map(({ name }) => name),
        counts: first.counts,
      },
    });
    await pruneRuns({ stateDir, olderThanDays: 0 });
    const third = await bringIn(['Nice']);
    expect(third.earlier?.run).toBe(first.run);
    expect((await bringIn(['Bad'])).earlier?.run).toBe(third.run);
  });

  it('has the same mapping into the same monitoring, whatever its columns', async () => {
    const { bringIn } = await importer();
    const first = await bringIn(['Good']);
    const mapping = { ...minimalMapping(), name: 'Other' };
    expect((await bringIn(['Fine'], { mapping })).earlier).toBeNull();
    expect((await bringIn(['Fine,1'], {}, 'id,text,score')).earlier?.run).toBe(first.run);
  });

  it('has the mean score, sentiments and languages, whose change the page shows first', async () => {
    const { bringIn } = await importer();
    const mapping = minimalMapping();
    const document = {
      ...mapping.document,
      language: 'en',
      sentiment: { from: 'score', number: '.', bands: { B: 4, R: 0 } },
      metrics: { score: { from: 'score' } },
    } as const;
    const scored = { mapping: { ...mapping, document }, survey: true };
    await bringIn(['Good,5', 'Fine,4', 'Nice,5'], scored, 'id,text,score');
    const report = await bringIn(['Bad,1', 'Poor,2', 'Nice,5'], scored, 'id,text,score');
    expect(report.earlier?.fills).toMatchObject({
      meanScore: 4.667,
      sentiments: { B: 3 },
      languages: { en: 3 },
    });
    const page = await reportHtml(report);
    const changes = /<div class="changes">([\s\S]*?)<\/div>/.exec(page)?.[1] ?? '';
    const cells = [...changes.matchAll(/<td[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(changes).toMatch(/mean score[\s\S]*sentiment B[\s\S]*sentiment R/);
    expect(cells.slice(0, 2)).toEqual(['4.67', '2.67']);
  });

  it('is never one of fixed rejects, which are a part of an export', async () => {
    const { bringIn, stateDir } = await importer();
    const rejects = path.join(stateDir, '..', 'rejects.csv');
    const first = await bringIn(['Good', ''], { rejects });
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('1-1,', '1-1,Fixed'));
    expect(await bringIn([], { input: rejects })).toMatchObject({
      counts: { accepted: 1 },
      earlier: null,
    });
    expect((await bringIn(['Fine'])).earlier?.run).toBe(first.run);
  });

  it.each(['null', '{}', '5', '{"run":"r","started":"s","counts":{"read":1}}', '{"run"'])(
    'is none where its file holds %s',
    async (content) => {
      const { stateDir, bringIn } = await importer();
      await bringIn(['Good']);
      const folder = path.join(stateDir, 'outcomes');
      for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), content);
      expect(await bringIn(['Fine'])).toMatchObject({ exitCode: 0, earlier: null });
    },
  );
});
