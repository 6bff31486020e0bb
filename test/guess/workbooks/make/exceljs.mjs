/** Writes the workbooks of exceljs: `node exceljs.mjs FOLDER`, beside an installed exceljs. */
import path from 'node:path';
import Excel from 'exceljs';
import { REVIEWS } from './reviews.js';

const FOLDER = process.argv[2] ?? '.';
const at = (name) => path.join(FOLDER, name);
const HEADER = [
  'Review ID',
  'Guest',
  'Country',
  'Rating',
  'Review date',
  'Title',
  'Review',
  'Link',
];

/** A report as people send it: a cover, merged title lines, styles, links, a hidden and an empty sheet. */
async function report() {
  const book = new Excel.Workbook();
  const cover = book.addWorksheet('Summary');
  cover.mergeCells('A1:D1');
  cover.getCell('A1').value = 'Guest satisfaction, January to September 2024';
  cover.addRow([]);
  cover.addRow(['Month', 'Reviews', 'Average', 'Comment']);
  for (let month = 0; month < 9; month += 1) {
    cover.addRow([new Date(Date.UTC(2024, month, 1)), 3, 7.2, 'Better than in the year before']);
    cover.lastRow.getCell(1).numFmt = 'mmm yyyy';
  }
  book.addWorksheet('Notes');
  const sheet = book.addWorksheet('Reviews');
  sheet.mergeCells('A1:H1');
  sheet.getCell('A1').value = 'Hotel Adler: all guest reviews';
  sheet.mergeCells('A2:H2');
  sheet.getCell('A2').value = 'Exported on 2 October 2024, times in UTC';
  sheet.getRow(4).values = HEADER;
  for (const [index, one] of REVIEWS.entries()) {
    const [first, ...rest] = one.text.split(' ');
    const rich = {
      richText: [{ text: first, font: { bold: true } }, { text: ` ${rest.join(' ')}` }],
    };
    const row = sheet.addRow([
      one.id,
      one.author,
      one.country,
      { formula: `${one.score * 2}/2`, result: one.score },
      one.written,
      one.title,
      index % 3 === 0 ? rich : one.text,
      { text: one.url, hyperlink: one.url },
    ]);
    row.getCell(5).numFmt = 'dd/mm/yyyy hh:mm';
  }
  // Formats without values, as they stay behind where rows and columns were cleared.
  for (let row = 33; row < 60; row += 1) sheet.getCell(row, 12).numFmt = 'dd/mm/yyyy';
  const lists = book.addWorksheet('Lists', { state: 'hidden' });
  lists.addRows([['Country'], ['Germany'], ['France']]);
  await book.xlsx.writeFile(at('exceljs-report.xlsx'));
}

/** Days since 1904, verdicts in percent, numbers as text, a truth value, cells that are errors. */
async function since1904() {
  const book = new Excel.Workbook();
  book.properties.date1904 = true;
  const sheet = book.addWorksheet('2024');
  sheet.addRow([
    'Review ID',
    'Author',
    'Satisfaction',
    'Date',
    'Comment',
    'Verified',
    'Likes',
    'Trend',
  ]);
  for (const [index, one] of REVIEWS.entries()) {
    const { written, score } = one;
    const row = sheet.addRow([
      one.id,
      one.author,
      score / 10,
      new Date(Date.UTC(written.getUTCFullYear(), written.getUTCMonth(), written.getUTCDate())),
      one.text,
      index % 2 === 0,
      String(index % 5),
      index % 2 === 0 ? { error: '#DIV/0!' } : 0.5,
    ]);
    row.getCell(3).numFmt = '0%';
    row.getCell(4).numFmt = 'd-mmm-yy';
  }
  await book.xlsx.writeFile(at('exceljs-1904.xlsx'));
}

/** As programs write large ones: row by row, texts in their cells, no dimension. */
async function stream() {
  const book = new Excel.stream.xlsx.WorkbookWriter({
    filename: at('exceljs-stream.xlsx'),
    useStyles: true,
    useSharedStrings: false,
  });
  const sheet = book.addWorksheet('Export');
  sheet.addRow(HEADER).commit();
  for (const one of REVIEWS) {
    const row = sheet.addRow([
      one.id,
      one.author,
      one.country,
      one.score,
      one.written,
      one.title,
      one.text,
      one.url,
    ]);
    row.getCell(5).numFmt = 'yyyy-mm-dd hh:mm:ss';
    row.commit();
  }
  await book.commit();
}

await report();
await since1904();
await stream();
