import type { Format } from '../format.js';
import { workbookFormat } from '../sheets/workbook-format.js';

export const ods: Format = workbookFormat({
  name: 'ods',
  title: 'ODS',
  extensions: ['ods', 'ots'],
  label: 'an OpenDocument spreadsheet',
  recognise: (start, members) =>
    start.includes('application/vnd.oasis.opendocument.spreadsheet') &&
    members.includes('content.xml'),
  load: async () => (await import('./workbook.js')).readOds,
});
