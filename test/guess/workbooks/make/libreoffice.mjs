/**
 * Writes flat OpenDocument sheets, and has LibreOffice save them as workbooks:
 * `node libreoffice.mjs FOLDER`, with `soffice` on the path.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REVIEWS } from './reviews.js';

const FOLDER = path.resolve(process.argv[2] ?? '.');
const SPACES = ['office', 'table', 'text', 'style', 'number', 'meta', 'fo'];

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const paragraphs = (value) =>
  value
    .split('\n')
    .map((line) => `<text:p>${escaped(line)}</text:p>`)
    .join('');
const text = (value, more = '') =>
  `<table:table-cell office:value-type="string" ${more}>${paragraphs(value)}</table:table-cell>`;
const number = (value) => `<table:table-cell office:value-type="float" office:value="${value}"/>`;
const percent = (value) =>
  `<table:table-cell table:style-name="share" office:value-type="percentage" office:value="${value}"/>`;
const date = (value, style) =>
  `<table:table-cell table:style-name="${style}" office:value-type="date" office:date-value="${value}"/>`;
const formula = (code) => `<table:table-cell table:formula="of:=${escaped(code)}"/>`;
const empty = '<table:table-cell/>';
const row = (...cells) => `<table:table-row>${cells.join('')}</table:table-row>`;
const merged = (value, columns) =>
  row(
    text(value, `table:number-columns-spanned="${columns}"`),
    `<table:covered-table-cell table:number-columns-repeated="${columns - 1}"/>`,
  );
const sheet = (name, rows, style = 'shown') =>
  `<table:table table:name="${name}" table:style-name="${style}">${rows.join('')}</table:table>`;

const STYLES = `
<number:date-style style:name="n-day"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>
<number:date-style style:name="n-moment" number:language="en" number:country="US"><number:month number:textual="true"/><number:text> </number:text><number:day/><number:text>, </number:text><number:year number:style="long"/><number:text> </number:text><number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text> </number:text><number:am-pm/></number:date-style>
<number:percentage-style style:name="n-share"><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<style:style style:name="day" style:family="table-cell" style:data-style-name="n-day"/>
<style:style style:name="moment" style:family="table-cell" style:data-style-name="n-moment"/>
<style:style style:name="share" style:family="table-cell" style:data-style-name="n-share"/>
<style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style>
<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>`;

function save(name, sheets, kind) {
  const spaces = SPACES.map((space) => {
    const uri = space === 'fo' ? 'xsl-fo-compatible' : space === 'number' ? 'datastyle' : space;
    return `xmlns:${space}="urn:oasis:names:tc:opendocument:xmlns:${uri}:1.0"`;
  }).join(' ');
  const flat = `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:spreadsheet>${sheets.join('')}</office:spreadsheet></office:body></office:document>`;
  const folder = mkdtempSync(path.join(tmpdir(), 'workbooks-'));
  const file = path.join(folder, `${name}.fods`);
  writeFileSync(file, flat);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const options = [profile, '--headless', '--convert-to', kind, '--outdir', FOLDER, file];
  execFileSync('soffice', options, { stdio: 'inherit' });
}

/** A cover, a hidden sheet, and the reviews below two merged lines. */
const report = [
  sheet('Overview', [
    merged('Hotel Adler', 3),
    row(text('Responses'), formula(`COUNTA([Responses.A4:Responses.A31])`)),
    row(text('Answered'), percent(0.82)),
    row(text('Average rating'), number(6.86)),
  ]),
  sheet('Raw', [row(text('key'), text('value')), row(text('version'), number(3))], 'hidden'),
  sheet('Responses', [
    merged('Guest reviews', 7),
    merged('Source: guest portal. Confidential.', 7),
    row(
      text('Ref'),
      text('Guest name'),
      text('Guest country'),
      text('Score'),
      text('Submitted'),
      text('Stay from'),
      text('Comments'),
    ),
    ...REVIEWS.map((one, at) =>
      row(
        text(one.id),
        text(one.author),
        text(one.country),
        at % 2 === 0 ? number(one.score) : formula(`${one.score}+0`),
        date(one.written.toISOString().slice(0, 19), 'moment'),
        date(new Date(one.written.getTime() - 4 * 86_400_000).toISOString().slice(0, 10), 'day'),
        text(one.text),
      ),
    ),
    `<table:table-row table:number-rows-repeated="20">${empty}<table:table-cell table:style-name="day" table:number-columns-repeated="12"/></table:table-row>`,
  ]),
];
save('libreoffice-report', report, 'xlsx');

/** One plain sheet: days, and shares that are no rating. */
const plain = [
  sheet('Export', [
    row(
      text('Datum'),
      text('Bewertung'),
      text('Profil vollständig'),
      text('Titel'),
      text('Text'),
      text('Name'),
    ),
    ...REVIEWS.map((one) =>
      row(
        date(one.written.toISOString().slice(0, 10), 'day'),
        number(one.score / 2),
        percent(one.score / 10),
        text(one.title),
        text(one.text),
        text(one.author),
      ),
    ),
  ]),
];
save('libreoffice-plain', plain, 'xlsx');
save('libreoffice-old', plain, 'xls');
save('libreoffice-sheet', plain, 'ods');
