import { zipOf } from './zip.js';

/** A sheet of a workbook that a test makes. */
export interface MadeSheet {
  readonly name: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** What stands between `<sheetData>` and its end. */
  readonly rows: string;
}

/** What else there is in it. */
export interface MadeWorkbook {
  readonly sheets: readonly MadeSheet[];
  /** The `<si>` elements. */
  readonly shared?: string;
  /** Formats by number, and the styles' numbers of formats. */
  readonly formats?: Readonly<Record<number, string>>;
  readonly styles?: readonly number[];
  readonly from1904?: boolean;
  /** Replaces or adds parts. */
  readonly parts?: Readonly<Record<string, string>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** An XLSX workbook, as Excel lays it out. */
export async function workbookOf(made: MadeWorkbook): Promise<Buffer> {
  const { sheets, shared = '', formats = {}, styles = [0], from1904 = false, parts } = made;
  const listed = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  );
  const codes = Object.entries(formats).map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const relations = sheets.map((_, index) =>
    relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
  );
  return await zipOf({
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><workbookPr date1904="${from1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      `${relations.join('')}${relation('rIdA', 'styles', 'styles.xml')}${relation('rIdB', 'sharedStrings', '/xl/sharedStrings.xml')}`,
    ),
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${shared}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** A workbook of one sheet, "Reviews", of rows of texts. */
export function workbookOfTexts(rows: readonly (readonly string[])[]): Promise<Buffer> {
  return workbookOf({ sheets: [{ name: 'Reviews', rows: textRows(rows) }] });
}

/** Rows of inline texts, from the first row on. */
export function textRows(rows: readonly (readonly string[])[]): string {
  return rows
    .map((texts, row) => {
      const cells = texts.map((text) =>
        text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
      );
      return `<row r="${row + 1}">${cells.join('')}</row>`;
    })
    .join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/_x(?=[0-9a-f]{4}_)/gi, '_x005F_x')
    .replace(
      /[\p{Cc}\ufffe\uffff]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0')}_`,
    );
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`;
}

function relationships(inside: string): string {
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;
}
