import path from 'node:path';
import type { Member } from '../../input/archive/members.js';
import { BrokenInput } from '../../input/broken-input.js';
import type { Expansion } from '../../input/decompress/expansion.js';
import type { Seekable } from '../../input/seekable.js';
import { readXml } from './xml-reader.js';

/** The parts of a workbook that is open. */
export class Parts {
  readonly #bytes: Seekable;
  readonly #expansion: Expansion | undefined;
  readonly #members: ReadonlyMap<string, Member>;

  constructor(members: readonly Member[], bytes: Seekable, expansion?: Expansion) {
    this.#bytes = bytes;
    this.#expansion = expansion;
    this.#members = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  }

  has(name: string): boolean {
    return this.#members.has(name.toLowerCase());
  }

  /** @throws BrokenInput if it isn't there */
  pieces(name: string, counted?: (bytes: number) => void): AsyncIterable<Uint8Array> {
    const member = this.#members.get(name.toLowerCase());
    if (member === undefined) {
      throw new BrokenInput(`its part ${name} is missing`, 'Save the workbook again.');
    }
    return member.pieces(this.#bytes, this.#expansion, counted);
  }
}

/** A sheet with cells; others hold charts or macros. */
export interface Sheet {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

/** What a workbook says of itself. */
export interface Outline {
  readonly sheets: readonly Sheet[];
  /** Whether its days are counted from 1904. */
  readonly from1904: boolean;
  /** Names of the parts that hold shared texts and formats, if there are any. */
  readonly sharedTexts: string | undefined;
  readonly styles: string | undefined;
}

/** @throws BrokenInput */
export async function readOutline(parts: Parts): Promise<Outline> {
  const top = await relationsOf(parts, '');
  const main = top.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(parts, main);
  const found: { name: string; hidden: boolean; id: string }[] = [];
  let from1904 = false;
  await readXml(main, parts.pieces(main), {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      const hidden = (attributes['state'] ?? 'visible') !== 'visible';
      found.push({ name: attributes['name'] ?? '', hidden, id });
    },
  });
  const partOf = (type: string): string | undefined =>
    relations.find((relation) => relation.type === type && parts.has(relation.target))?.target;
  return {
    sheets: found.flatMap(({ name, hidden, id }) => {
      const relation = relations.find((one) => one.id === id && one.type === 'worksheet');
      return relation === undefined ? [] : [{ name, hidden, part: relation.target }];
    }),
    from1904,
    sharedTexts: partOf('sharedStrings'),
    styles: partOf('styles'),
  };
}

interface Relation {
  readonly id: string;
  /** The last step of the address that names its kind. */
  readonly type: string;
  /** Name of the part. */
  readonly target: string;
}

/** Which parts a part names. */
async function relationsOf(parts: Parts, part: string): Promise<readonly Relation[]> {
  const folder = path.posix.dirname(part);
  const listed = path.posix.join(folder, '_rels', `${path.posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!parts.has(listed)) return relations;
  await readXml(listed, parts.pieces(listed), {
    open(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return;
      const isAbsolute = target.startsWith('/');
      const resolved = isAbsolute ? target.slice(1) : path.posix.join(folder, target);
      relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved });
    },
  });
  return relations;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}
