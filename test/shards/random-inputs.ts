/** Random inputs of an import: files of several formats with repeats and many defective records. */
import { gzipSync } from 'node:zlib';
import { put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

export const MAPPING: ReturnType<typeof minimalMapping> = minimalMapping({
  language: { value: 'en' },
  published: { from: 'day', date: 'yyyy-MM-dd' },
});

export interface RandomInputs {
  readonly input: readonly string[];
  /** Ids that come twice. */
  readonly repeated: ReadonlySet<string>;
}

/**
 * Writes files of records.
 * @param lost how many ids may end in `-lost`, which the service doesn't answer
 */
export async function randomInputs(
  random: () => number,
  folder: string,
  lost: number,
): Promise<RandomInputs> {
  const upTo = (end: number): number => Math.floor(random() * end);
  const record = recordsFrom(random, lost);
  const input: string[] = [];
  const repeated = new Set<string>();
  for (let index = 0, files = 1 + upTo(4); index < files; index += 1) {
    const records = Array.from({ length: upTo(random() < 0.2 ? 3 : 150) }, () => record(repeated));
    const kind = KINDS[upTo(KINDS.length)] as (typeof KINDS)[number];
    input.push(put(folder, `in-${index}.${kind}`, await bytesOf(kind, records)));
  }
  return { input, repeated };
}

const KINDS = ['csv', 'jsonl', 'csv', 'jsonl', 'csv.gz', 'xlsx', 'zip'] as const;

async function bytesOf(kind: (typeof KINDS)[number], records: readonly Rec[]): Promise<Buffer> {
  if (kind === 'csv') return csv(records);
  if (kind === 'jsonl') return jsonLines(records);
  if (kind === 'csv.gz') return gzipSync(csv(records));
  if (kind === 'xlsx') return await workbookOfTexts([['id', 'text', 'day'], ...records.map(cells)]);
  const half = Math.ceil(records.length / 2);
  return await zipOf({
    'one.csv': csv(records.slice(0, half)),
    'two.jsonl': jsonLines(records.slice(half)),
  });
}

function recordsFrom(random: () => number, most: number): (repeated: Set<string>) => Rec {
  const ids: string[] = [];
  let lost = most;
  const newId = (): string => {
    const name = `d${ids.length}x`;
    const isLost = lost > 0 && random() < 0.02;
    if (isLost) lost -= 1;
    const id = isLost ? `${name}-lost` : random() < 0.02 ? `${name}-refused` : name;
    ids.push(id);
    return id;
  };
  return (repeated) => {
    const earlier = ids[Math.floor(random() * ids.length)];
    if (random() < 0.08 && earlier?.endsWith('x') && !repeated.has(earlier)) {
      repeated.add(earlier);
      const text = random() < 0.5 ? textOf(earlier) : `other than ${textOf(earlier)}`;
      return { id: earlier, text, day: DAY };
    }
    const id = newId();
    const flaw = random() < 0.3 ? Math.floor(random() * 9) : undefined;
    return { id, text: textOf(id), day: DAY, flaw };
  };
}

const DAY = '2024-06-03';

interface Rec {
  readonly id: string;
  readonly text: string;
  readonly day: string;
  /** Its defect. */
  readonly flaw?: number | undefined;
}

function textOf(id: string): string {
  return `Review ${id}, ${'good '.repeat(id.length)}\nsecond line “${id}”`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Rows with each of the flaws. */
const CSV_FLAWS: readonly ((one: Rec) => string)[] = [
  ({ id, day }) => `${id},,${day}\n`,
  ({ id, text }) => `${id},${quoted(text)},soon\n`,
  ({ id, text, day }) => `${id},${quoted(text)},${day},extra\n`,
  ({ id }) => `${id}\n`,
  ({ id, day }) => `\n${id},plain \xff byte,${day}\n`,
  ({ id, day }) => `${id},"quoted" and more,${day}\n`,
  ({ text, day }) => `,${quoted(text)},${day}\n`,
  ({ id, text, day }) => `${id},${quoted(`${text}\n\n"${id}",\r\n${id}`)},${day}\n`,
  ({ id, day }) => `${id},a " stray quote,${day}\r\n`,
];

function csv(records: readonly Rec[]): Buffer {
  const sound = ({ id, text, day }: Rec): string => `${id},${quoted(text)},${day}\n`;
  const rows = records.map((one) => (CSV_FLAWS[one.flaw ?? -1] ?? sound)(one));
  return Buffer.concat(
    ['id,text,day\n', ...rows].map((part) =>
      Buffer.from(part, part.includes('\xff') ? 'latin1' : 'utf8'),
    ),
  );
}

const JSON_FLAWS: readonly ((one: Omit<Rec, 'flaw'>) => string)[] = [
  (one) => JSON.stringify({ ...one, text: '' }),
  (one) => JSON.stringify({ ...one, day: 'soon' }),
  (one) => JSON.stringify({ ...one, more: [1, { a: null }] }),
  ({ id }) => `{"id": "${id}", `,
  (one) => `\n  ${JSON.stringify(one)}  `,
  ({ id }) => `["${id}"]`,
  ({ text, day }) => JSON.stringify({ text, day }),
  (one) => JSON.stringify({ ...one, text: { a: 1 } }),
];

function jsonLines(records: readonly Rec[]): Buffer {
  const rows = records.map(({ flaw = -1, ...one }) => (JSON_FLAWS[flaw] ?? JSON.stringify)(one));
  return Buffer.from(rows.map((row) => `${row}\n`).join(''));
}

/** A row of a sheet, with the flaws that one can have. */
function cells({ id, text, day, flaw }: Rec): readonly string[] {
  if (flaw === 0) return [id, '', day];
  if (flaw === 1) return [id, text, 'soon'];
  if (flaw === 3) return [id];
  return flaw === 6 ? ['', text, day] : [id, text, day];
}
