/** Writes the workbooks of SheetJS: `node sheetjs.mjs FOLDER`, beside an installed xlsx. */
import path from 'node:path';
import XLSX from 'xlsx';
import { REVIEWS } from './reviews.js';

const FOLDER = process.argv[2] ?? '.';
const at = (name) => path.join(FOLDER, name);

/** Days since 30 December 1899. */
const serial = ({ written }) => (written.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000;
const dated = (value, z) => ({ t: 'n', v: value, z });

/** Cards and a pivot first, lines above the header with as many cells as a small table has. */
function dashboard() {
  const book = XLSX.utils.book_new();
  const dashboard = XLSX.utils.aoa_to_sheet([
    ['Reviews', 'Average', 'Answered'],
    [28, 6.86, dated(0.75, '0%')],
    [],
    ['Country', 'Count'],
    ['Germany', 5],
    ['France', 4],
  ]);
  XLSX.utils.book_append_sheet(book, dashboard, 'Dashboard');
  const sheet = XLSX.utils.aoa_to_sheet([
    ['Property', 'Hotel Adler'],
    ['Period', '01.01.2024 - 30.09.2024'],
    [],
    ['Review ID', 'Datum', 'Uhrzeit', 'Gast', 'Bewertung', 'Kommentar'],
    ...REVIEWS.map((one) => [
      one.id,
      dated(Math.floor(serial(one)), 'dd.mm.yyyy'),
      dated(serial(one) % 1, 'hh:mm'),
      one.author,
      one.score,
      one.text,
    ]),
  ]);
  sheet['!merges'] = [{ s: { r: 1, c: 1 }, e: { r: 1, c: 5 } }];
  XLSX.utils.book_append_sheet(book, sheet, 'Bewertungen');
  XLSX.writeFile(book, at('sheetjs-dashboard.xlsx'), { bookSST: true });
}

/** Without a header, and with macros as far as its kind says. */
function headless() {
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.aoa_to_sheet(
    REVIEWS.map((one) => [
      one.id,
      dated(serial(one), 'm/d/yy h:mm'),
      one.score,
      one.author,
      one.text,
      one.url,
    ]),
  );
  XLSX.utils.book_append_sheet(book, sheet, 'Sheet1');
  XLSX.writeFile(book, at('sheetjs-headless.xlsm'), { bookType: 'xlsm' });
}

/** Dates as texts of day and month, a first sheet with nothing in it. */
function texts() {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([]), 'Sheet1');
  const rows = REVIEWS.map((one) => {
    const [year, month, day] = one.written.toISOString().slice(0, 10).split('-');
    return {
      'Review ID': one.id,
      Name: one.author,
      Stars: String(one.score / 2),
      'Posted on': `${day}/${month}/${year}`,
      Review: one.text,
    };
  });
  XLSX.utils.book_append_sheet(book, XLSX.utils.json_to_sheet(rows), 'Reviews 2024');
  XLSX.writeFile(book, at('sheetjs-texts.xlsx'), { bookSST: false });
}

dashboard();
headless();
texts();
