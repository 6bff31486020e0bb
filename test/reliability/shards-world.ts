/** What a random import in shards is made of, and what the service does to its requests. */
import { gzipSync } from 'node:zlib';
import { put } from '../helpers/files.js';
import { MAPPING } from '../helpers/reviews.js';

/** A record, and where it stands. */
export interface Row {
  /** Index of its input, from 0. */
  readonly input: number;
  /** Its number in that, from 1. */
  readonly record: number;
  readonly id: string;
  readonly text: string;
  readonly kind: 'good' | 'invalid' | 'refused';
}

/** Inputs and options of an import. */
export interface World {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  readonly batchSize: number;
  /** Further options of the import. */
  readonly options: readonly string[];
  /** Whether there is so much that threads transform it. */
  readonly isLarge: boolean;
}

/** What the service does to requests: shares of all imports, and the longest time one takes. */
export interface Faults {
  readonly resetAfter: number;
  readonly resetBefore: number;
  readonly overloaded: number;
  readonly mostMs: number;
}

/** Draws numbers and choices. */
export class Draw {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** From 0 up to this, without it. */
  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  of<const T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

/** What makes texts longer. */
export const PADDING = '.';

/** As many characters as make threads worth their start. */
const LARGE_CHARACTERS = 9 * 2 ** 20;

/** Draws the inputs and options of an import, and writes its files. */
export function drawWorld(draw: Draw, folder: string): World {
  const rows = drawRows(draw);
  const isLarge = rows.length > 100 && draw.chance(0.15);
  const width = isLarge ? Math.ceil(LARGE_CHARACTERS / rows.length) : draw.of([0, 0, 300]);
  const inputs = 1 + Math.max(...rows.map(({ input }) => input));
  const names = Array.from({ length: inputs }, (_, input) => {
    const kind = draw.of(['csv', 'jsonl', 'csv.gz', 'csv'] as const);
    const own = rows.filter((row) => row.input === input);
    const text = kind === 'jsonl' ? jsonLines(own, width) : csv(own, width);
    const name = `in-${input}.${kind}`;
    put(folder, name, kind === 'csv.gz' ? gzipSync(text) : text);
    return name;
  });
  put(folder, 'mapping.json', JSON.stringify(MAPPING));
  const batchSize = draw.of([1, 7, 20, 50, 500]);
  return { names, rows, batchSize, options: drawOptions(draw, isLarge), isLarge };
}

/** Draws what the service does to requests. */
export function drawFaults(draw: Draw): Faults {
  return {
    resetAfter: draw.of([0, 0.01, 0.1]),
    resetBefore: draw.of([0, 0, 0.05]),
    overloaded: draw.of([0, 0, 0.05]),
    mostMs: draw.of([0, 20, 150]),
  };
}

/** What of a record other records may repeat. */
type Review = Pick<Row, 'id' | 'text' | 'kind'>;

/** Draws records of which some repeat others, in their own input or in one before it. */
function drawRows(draw: Draw): readonly Row[] {
  const repeats = draw.of([0, 0.02, 0.3]);
  const flaws = draw.of([0, 0.05]);
  const most = draw.of([10, 150, 1_000]);
  // Inputs after the first are often the same export once more: as it was, or with other texts.
  const changed = draw.of([undefined, undefined, 0, 1, 0.5]);
  const inputs = draw.of([1, 2, 4, 12]);
  const size = (): number => draw.between(1, Math.ceil(most / inputs));
  const rows: Row[] = [];
  const addInput = (input: number, reviews: readonly (() => Review)[]): void => {
    for (const [index, make] of reviews.entries()) {
      rows.push({ input, record: index + 1, ...make() });
    }
  };
  const any = (): Review => {
    const earlier = rows[draw.below(rows.length)];
    const isRepeat = draw.chance(repeats) && earlier?.kind === 'good';
    return isRepeat ? repeatOf(earlier, draw.chance(0.5)) : newReview(draw, rows.length, flaws);
  };
  addInput(0, new Array(size()).fill(any));
  const first = rows.filter(({ kind }) => kind === 'good');
  for (let input = 1; input < inputs; input += 1) {
    const copies = first.map((row) => () => repeatOf(row, draw.chance(changed ?? 0)));
    addInput(input, changed === undefined ? new Array(size()).fill(any) : copies);
  }
  return rows;
}

function newReview(draw: Draw, number: number, flaws: number): Review {
  const id = `r-${number}`;
  const kind = draw.chance(flaws) ? draw.of(['invalid', 'refused', 'invalid'] as const) : 'good';
  return { id: kind === 'refused' ? `${id}-refused` : id, text: `Text ${id}`, kind };
}

function repeatOf({ id, text, kind }: Row, isChanged: boolean): Review {
  return { id, text: isChanged ? `${text}, other` : text, kind };
}

function drawOptions(draw: Draw, isLarge: boolean): readonly string[] {
  return [
    ...(draw.chance(0.2) ? ['--batch-bytes', String(draw.between(500, 20_000))] : []),
    ...['--concurrency', draw.of(['auto', '1', '2', '4'])],
    ...['--threads', isLarge ? draw.of(['0', '1', '2']) : '0'],
    ...['--refusals', draw.of(['atomic', 'atomic', 'partial'])],
  ];
}

function fieldsOf({ id, text, kind }: Row, width: number) {
  const minute = String(Number.parseInt(id.slice('r-'.length), 10) % 60).padStart(2, '0');
  const at = `2024-05-31T10:${minute}:00Z`;
  return { id, text: kind === 'invalid' ? '' : text.padEnd(width, PADDING), at };
}

function csv(rows: readonly Row[], width: number): string {
  const lines = rows.map((row) => {
    const { id, text, at } = fieldsOf(row, width);
    return `${id},"${text}",${at}\n`;
  });
  return `id,text,at\n${lines.join('')}`;
}

function jsonLines(rows: readonly Row[], width: number): string {
  return rows.map((row) => `${JSON.stringify(fieldsOf(row, width))}\n`).join('');
}
