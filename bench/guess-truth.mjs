/**
 * How right `docferry guess` is, alone and unedited, for the exports in bench/guess-exports/: the
 * documents that its mapping gives beside those of truth.json. guess-truth/classify.js has what each
 * verdict means.
 *
 *     npm run build && node bench/guess-truth.mjs [FOLDER] [--json FILE] [--only PART-OF-A-NAME]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { guessMapping, previewDocuments } from '../dist/index.js';
import { parseMapping } from '../dist/mapping/load/load-mapping.js';
import { classify, classifyFailure, FIELDS } from './guess-truth/classify.js';

const VERDICTS = ['right', 'asked', 'wrong', 'noted', 'missing'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, only: { type: 'string', default: '' } },
});
const [folder = path.join(import.meta.dirname, 'guess-exports')] = positionals;

const truths = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8')).exports;
const measured = [];
for (const truth of truths.filter(({ file }) => file.includes(values.only))) {
  measured.push({
    file: truth.file,
    kind: truth.kind,
    reviews: truth.reviews,
    fields: await measure(truth),
  });
}
printTable();
printTotals();
printList();
if (values.json) writeFileSync(values.json, `${JSON.stringify(report(), null, 1)}\n`);

async function measure(truth) {
  const input = path.join(folder, truth.file);
  try {
    const guess = await guessMapping({ input, ready: false });
    const mapping = parseMapping(guess.mapping, 'guess');
    const previewed = [];
    const stated = truth.asOf === undefined ? {} : { asOf: truth.asOf };
    for await (const one of previewDocuments({ input, mapping, ...stated })) previewed.push(one);
    return classify(truth, guess, previewed);
  } catch (error) {
    return classifyFailure(truth, error instanceof Error ? error.message : String(error));
  }
}

function countsOf(judged) {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]));
  for (const { verdict } of judged) counts[verdict] += 1;
  return { fields: judged.length, ...counts };
}

function printTable() {
  console.log(`| export | ${FIELDS.join(' | ')} |\n|---|${FIELDS.map(() => '---|').join('')}`);
  for (const { file, fields } of measured) {
    const cells = FIELDS.map((name) => fields.find(({ field }) => field === name)?.verdict ?? '');
    console.log(
      `| ${file} | ${cells.map((verdict) => (verdict === 'wrong' ? 'WRONG' : verdict)).join(' | ')} |`,
    );
  }
  console.log('\nAn empty cell is not scored.');
}

function printTotals() {
  const all = measured.flatMap(({ fields }) => fields);
  const kinds = [...new Set(measured.map(({ kind }) => kind))];
  console.log(
    `\n| | fields | ${VERDICTS.join(' | ')} |\n|---|---|${VERDICTS.map(() => '---|').join('')}`,
  );
  for (const kind of kinds) {
    printCounts(
      kind,
      measured.filter((one) => one.kind === kind).flatMap(({ fields }) => fields),
    );
  }
  for (const name of FIELDS)
    printCounts(
      name,
      all.filter(({ field }) => field === name),
    );
  printCounts('all', all);
  const clean = measured.filter(({ fields }) =>
    fields.every(({ verdict }) => verdict === 'right'),
  ).length;
  const reviews = measured.reduce((sum, one) => sum + one.reviews, 0);
  const lost = all.reduce((sum, one) => sum + (one.lost ?? 0), 0);
  console.log(`\n${reviews - lost} of ${reviews} reviews become documents.`);
  const needless = all.filter((one) => one.needless).length;
  console.log(
    `${clean} of ${measured.length} exports are right in every field; ${needless} right fields have a question all the same.`,
  );
}

function printCounts(name, judged) {
  const counts = countsOf(judged);
  const share = (verdict) =>
    `${counts[verdict]} (${((100 * counts[verdict]) / Math.max(1, counts.fields)).toFixed(1)}%)`;
  console.log(`| ${name} | ${counts.fields} | ${VERDICTS.map(share).join(' | ')} |`);
}

function printList() {
  for (const verdict of VERDICTS.slice(1)) {
    console.log(`\n${verdict}:`);
    for (const { file, fields } of measured) {
      for (const one of fields.filter((judged) => judged.verdict === verdict)) {
        const difference =
          one.expected === undefined
            ? ''
            : ` expected ${shown(one.expected)}, got ${shown(one.got)};`;
        console.log(
          `  ${file}: ${one.field}:${difference} ${shown(one.detail)}${one.by ? ` (${one.by})` : ''}`,
        );
      }
    }
  }
}

function shown(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const line = text.replace(/\s+/gu, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function report() {
  const all = measured.flatMap(({ fields }) => fields);
  return { totals: countsOf(all), exports: measured };
}
