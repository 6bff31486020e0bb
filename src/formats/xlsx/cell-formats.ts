import type { Parts } from './parts.js';
import { readXml } from './xml-reader.js';

/** What a number in a cell stands for. An elapsed time may be longer than a day. */
export type NumberKind = 'number' | 'percent' | 'date' | 'moment' | 'time' | 'elapsed';

/** Formats that every workbook has, by their number. Those from 27 on are East Asian dates. */
const BUILT_IN: readonly {
  readonly from: number;
  readonly to: number;
  readonly kind: NumberKind;
}[] = [
  { from: 9, to: 10, kind: 'percent' },
  { from: 14, to: 17, kind: 'date' },
  { from: 18, to: 21, kind: 'time' },
  { from: 22, to: 22, kind: 'moment' },
  { from: 27, to: 31, kind: 'date' },
  { from: 32, to: 33, kind: 'time' },
  { from: 34, to: 36, kind: 'date' },
  { from: 45, to: 45, kind: 'time' },
  { from: 46, to: 46, kind: 'elapsed' },
  { from: 47, to: 47, kind: 'time' },
  { from: 50, to: 58, kind: 'date' },
];

/**
 * For each style that a cell may have, what its numbers stand for.
 * @throws BrokenInput
 */
export async function readCellFormats(
  part: string | undefined,
  parts: Parts,
): Promise<readonly NumberKind[]> {
  const kinds: NumberKind[] = [];
  if (part === undefined) return kinds;
  const codes = new Map<number, NumberKind>();
  let inCellFormats = false;
  await readXml(part, parts.pieces(part), {
    open(name, attributes) {
      if (name === 'cellXfs') inCellFormats = true;
      if (name === 'numFmt') {
        codes.set(Number(attributes['numFmtId']), kindOfFormat(attributes['formatCode'] ?? ''));
      }
      if (name !== 'xf' || !inCellFormats) return;
      const format = Number(attributes['numFmtId'] ?? 0);
      kinds.push(codes.get(format) ?? builtIn(format));
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return kinds;
}

function builtIn(format: number): NumberKind {
  return BUILT_IN.find(({ from, to }) => format >= from && format <= to)?.kind ?? 'number';
}

/** An `m` behind hours or before seconds. */
const MINUTES = /(?<=h[^a-z]*)m+|m+(?=[^a-z]*s)/g;

/** Judges a format such as `dd/mm/yyyy hh:mm` by the letters that are no text in it. */
export function kindOfFormat(code: string): NumberKind {
  const [positive = ''] = code
    .replace(/"[^"]*"|\\.|[_*]./g, '')
    .toLowerCase()
    .split(';');
  if (/\[(h+|m+|s+)\]/.test(positive)) return 'elapsed';
  const letters = positive.replace(/\[[^\]]*\]|general|am\/pm|a\/p/g, '');
  const hasDay = /[ydeb]/.test(letters.replace(/e[+-]/g, ''));
  const hasTime = /[hs]/.test(letters);
  const hasMonth = /m/.test(letters.replace(MINUTES, ''));
  if (hasDay || hasMonth) return hasTime ? 'moment' : 'date';
  if (hasTime) return 'time';
  return letters.includes('%') ? 'percent' : 'number';
}
