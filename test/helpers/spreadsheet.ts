import { zipOf } from './zip.js';

const TYPE = 'application/vnd.oasis.opendocument.spreadsheet';
const MANIFEST = '<manifest:manifest/>';

/** A spreadsheet with tables, as they stand in `<office:spreadsheet>`. */
export async function spreadsheetOf(
  tables: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const styles =
    '<style:style style:name="gone"><style:table-properties table:display="false"/></style:style>';
  return await zipOf(
    {
      mimetype: TYPE,
      'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      'META-INF/manifest.xml': MANIFEST,
      ...parts,
    },
    // The type stands in the file's first bytes as it is.
    { store: true },
  );
}

export function table(rows: string, name = 'Reviews', style = ''): string {
  return `<table:table table:name="${name}" table:style-name="${style}">${rows}</table:table>`;
}

export function row(cells: string, times?: number | string): string {
  const repeated = times === undefined ? '' : ` table:number-rows-repeated="${times}"`;
  return `<table:table-row${repeated}>${cells}</table:table-row>`;
}

export function cell(content: string, attributes = 'office:value-type="string"'): string {
  return `<table:table-cell ${attributes}>${content}</table:table-cell>`;
}

export function text(value: string): string {
  return cell(`<text:p>${value}</text:p>`);
}
