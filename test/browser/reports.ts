import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reportHtml } from '../../src/report/html/report-html.js';
import type { Report } from '../../src/report/report.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry } from '../helpers/run-cli.js';

/** A report and its page. */
export interface WrittenPage {
  readonly report: Report;
  readonly file: string;
}

const MAPPING = path.join(ROOT, 'mappings/hotel-reviews.yaml');
const HEADER =
  'Review ID;Hotel;Room type;Guest;Country;City;Language;Date;Rating;Title;Liked;Disliked;Tags;Helpful;Status';

/** A folder with pages as the command writes them. */
export async function writePages(): Promise<{
  readonly folder: string;
  readonly validation: WrittenPage;
  readonly imported: WrittenPage;
  /** An import of the same file again. */
  readonly repeated: WrittenPage;
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docferry-browser-'));
  writeFileSync(path.join(folder, 'reviews.csv'), [HEADER, ...lines(400)].join('\n'));
  const validation = await pageOf(folder, ['validate', 'reviews.csv', '-m', MAPPING]);
  const sandbox = ['reviews.csv', '-m', MAPPING, '--monitoring', '1', '--sandbox'];
  const imported = await pageOf(folder, ['import', ...sandbox, '--rejects', 'rejects.csv']);
  const repeated = await pageOf(folder, ['import', ...sandbox], 'repeated');
  return { folder, validation, imported, repeated };
}

/** Writes a report as a page. */
export async function writePageOf(folder: string, report: Report): Promise<WrittenPage> {
  const file = path.join(folder, `${report.run}.html`);
  writeFileSync(file, await reportHtml(report));
  return { report, file };
}

/** Reviews, of which some are hidden, repeated, without an id, short of fields or of no known day. */
function lines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 50 === 3) return `${index};too;short`;
    const id = index % 40 === 7 ? '' : index % 30 === 11 ? 'same' : `id-${index}`;
    const month = `${(index % 12) + 1}`.padStart(2, '0');
    const date = index % 25 === 5 ? 'yesterday' : `0${(index % 9) + 1}/${month}/2024 10:00`;
    const status = index % 20 === 9 ? 'hidden' : 'published';
    const text = `Stay ${index};${'Good breakfast. '.repeat((index % 70) + 1)};-`;
    return `${id};Mar;Double;Ana;ES;Cádiz;Español;${date};${index % 11};${text};;${index * 7};${status}`;
  });
}

async function pageOf(
  folder: string,
  command: readonly string[],
  name = command[0],
): Promise<WrittenPage> {
  const file = path.join(folder, `${name}.html`);
  const ended = await docferry([...command, '-q', '--json', '--html', file], { cwd: folder });
  if (ended.stdout === '') throw new Error(ended.stderr);
  return { report: JSON.parse(ended.stdout) as Report, file };
}
