/** The formats, a line for each: its export has the format's name. See `format.ts`. */
export { csv } from './csv/format.js';
export { json, jsonl } from './json/format.js';
export { objects } from './objects/format.js';
export { ods } from './ods/format.js';
export { parquet } from './parquet/format.js';
export { xlsx } from './xlsx/format.js';
