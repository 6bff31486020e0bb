/**
 * How well docferry reads polluted CSV with nothing told: the files of the Pollock benchmark (Vitagliano
 * et al., VLDB 2023), scored as it scores them.
 *
 *     npm run build && node bench/pollock.mjs FOLDER [--out FOLDER] [--worst N]
 *
 * FOLDER is a copy of github.com/HPI-Information-Systems/Pollock: `polluted_files` and
 * `survey_sample`, each with the files in `csv` and what is right in `clean`, and
 * `pollock_weights.json`. `--out` writes what was read, as the benchmark's `loading` folders have it.
 *
 * Each file has ten scores from 0 to 1: whether it was read, and precision, recall and F1 of its
 * header's cells, of its records, and of all cells, as multisets. The simple score is their mean over
 * all files, summed; the weighted one counts each file by how common its pollution is. Records are
 * compared after normalising numbers, letters and truth values. The benchmark normalises dates and
 * prices too, which makes no difference to a reader that leaves texts as they are.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { openSources } from '../dist/formats/open-sources.js';
import { parseChunk } from '../dist/formats/read-records.js';
import { compileHeaderTest } from '../dist/mapping/compile/compile-mapping.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, worst: { type: 'string', default: '0' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Usage: node bench/pollock.mjs FOLDER');

const MEASURES = [
  'success',
  ...['header', 'record', 'cell'].flatMap((what) =>
    ['precision', 'recall', 'F1'].map((measure) => `${what} ${measure}`),
  ),
];
const GROUPS = [
  ['whole file or table', /^file_(?:double|header|no|one|multi|preamble)/],
  ['fields too few', /^row_less/],
  ['fields too many', /^row_more/],
  ['structural characters', /^(?:file_(?:field|quot|record|escape)|row_(?:field|extra))/],
];

for (const dataset of ['polluted_files', 'survey_sample']) {
  if (existsSync(path.join(folder, dataset))) await scoreDataset(dataset);
}

async function scoreDataset(dataset) {
  const inputs = path.join(folder, dataset, 'csv');
  const scores = new Map();
  for (const file of readdirSync(inputs).sort()) {
    const clean = path.join(folder, dataset, 'clean', file);
    if (!existsSync(clean)) continue;
    const read = await rowsRead(path.join(inputs, file));
    if (values.out !== undefined) write(path.join(values.out, dataset), file, read);
    scores.set(file, scoresOf(rowsIn(readFileSync(clean)), read));
  }
  print(dataset, scores);
}

/** What docferry read: the header, if it found one, and the valid records; or why it refused. */
async function rowsRead(file) {
  try {
    const [source] = await openSources(file);
    const rows = [];
    for await (const chunk of source.chunks()) {
      for (const { value } of parseChunk(chunk)) if (value !== undefined) rows.push(value);
    }
    return { rows: withHeader(source, rows) };
  } catch (error) {
    // An empty file is refused for having no header. The benchmark expects nothing of it.
    return error.message.includes('is empty') ? { rows: [] } : { refused: error.message };
  }
}

/** Skips rows that repeat the header. The benchmark joins the names of a header of several lines. */
function withHeader({ layout: { columns, header }, reading }, rows) {
  const repeatsHeader = compileHeaderTest(columns);
  const records = rows.filter((row) => !repeatsHeader(row));
  if (header === 'none') return records;
  const repeated = Math.max(0, rows.indexOf(records[0]));
  const lines = [...Array(1 + repeated).fill(columns), ...reading.labels];
  const names = columns.map((_, at) =>
    lines
      .map((line) => line[at] ?? '')
      .join(' ')
      .trim(),
  );
  return [names, ...records];
}

function write(folder, file, { rows, refused }) {
  mkdirSync(folder, { recursive: true });
  const line = (row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const text = rows === undefined ? `Application Error\n${refused}` : rows.map(line).join('\n');
  writeFileSync(path.join(folder, `${file}_converted.csv`), text);
}

function rowsIn(bytes) {
  return parse(bytes, { bom: true, relax_column_count: true, relax_quotes: true });
}

function scoresOf(clean, { rows }) {
  if (rows === undefined) return MEASURES.map(() => 0);
  if (clean.length === 0) return MEASURES.map(() => 1);
  const normalised = (all) => all.map((row) => row.map(normalise));
  const [cleanHeader, ...cleanRecords] = normalised(clean);
  const [header = [], ...records] = normalised(rows);
  const joined = (all) => all.map((row) => row.join(''));
  return [
    1,
    ...agreement(cleanHeader, header),
    ...agreement(joined(cleanRecords), joined(records)),
    ...agreement(clean.flat(), rows.flat()),
  ];
}

/** Precision, recall and F1, as the benchmark calls them, of two multisets. */
function agreement(right, read) {
  if (right.length === 0) return [1, 1, 1];
  const left = new Map();
  for (const one of right) left.set(one, (left.get(one) ?? 0) + 1);
  let common = 0;
  for (const one of read) {
    const count = left.get(one) ?? 0;
    if (count > 0) common += 1;
    left.set(one, count - 1);
  }
  if (common === 0) return [0, 0, 0];
  const [precision, recall] = [common / right.length, common / read.length];
  return [precision, recall, (2 * precision * recall) / (precision + recall)];
}

function normalise(cell) {
  const text = cell.trim();
  if (/^[-+]?\d+$/.test(text)) return String(BigInt(text.replace('+', '')));
  if (/^[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?$/i.test(text)) return String(Number(text));
  if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true' ? '1' : '0';
  return text === '' ? cell : cell.toLowerCase();
}

function print(dataset, scores) {
  const mean = (files) =>
    MEASURES.map(
      (_, at) => files.reduce((sum, file) => sum + scores.get(file)[at], 0) / files.length,
    );
  const files = [...scores.keys()];
  const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
  console.log(`${dataset}: ${files.length} files`);
  console.log(`  simple ${total(mean(files)).toFixed(3)} of 10`);
  if (dataset === 'polluted_files') {
    console.log(`  weighted ${weighted(scores).toFixed(3)} of 10`);
    for (const [name, pattern] of GROUPS) {
      const group = files.filter((file) => pattern.test(file));
      console.log(`    ${name} (${group.length}): ${total(mean(group)).toFixed(3)}`);
    }
  }
  for (const [at, value] of mean(files).entries()) {
    console.log(`    ${MEASURES[at]}: ${value.toFixed(4)}`);
  }
  const worst = files.toSorted((a, b) => total(scores.get(a)) - total(scores.get(b)));
  for (const file of worst.slice(0, Number(values.worst))) {
    console.log(`  ${total(scores.get(file)).toFixed(3)} ${file}`);
  }
}

function weighted(scores) {
  const weights = JSON.parse(readFileSync(path.join(folder, 'pollock_weights.json'), 'utf8'));
  let [sum, all] = [0, 0];
  for (const [file, values] of scores) {
    const weight = weights[file] ?? 0;
    sum += weight * values.reduce((total, one) => total + one, 0);
    all += weight;
  }
  return sum / all;
}
