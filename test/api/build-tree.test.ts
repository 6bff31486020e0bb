import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextTree } from '../../src/api/client.js';
import { buildTree } from '../../src/api/context.js';
import { OptionError } from '../../src/model/errors.js';
import type { ContextDocument } from '../../src/service/resources.js';

type Link = readonly [id: number, parentId: number | null];

function documents(links: readonly Link[]): ContextDocument[] {
  return links.map(([id, parentId]) => ({ id, parentId }) as ContextDocument);
}

/** `1 2>1`: a publication, and what replies to it. */
function linksOf(text: string): Link[] {
  return text.split(' ').map((link) => {
    const [id, parent] = link.split('>').map(Number);
    return [id as number, parent ?? null];
  });
}

/** `1(2(3) 4)`: ids, with replies in brackets. */
function drawn({ document, replies }: ContextTree): string {
  return replies.length === 0
    ? `${document.id}`
    : `${document.id}(${replies.map(drawn).join(' ')})`;
}

/** Ids depth first, without recursion. */
function idsOf(tree: ContextTree): number[] {
  const ids: number[] = [];
  const open = [tree];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    ids.push(at.document.id);
    open.push(...at.replies.toReversed());
  }
  return ids;
}

describe('buildTree', () => {
  it.each([
    ['a reply whose parent is not there', '1 3>2 4>3', '1(3(4))'],
    ['a reply before its parent', '1 3>2 2>1', '1(3 2)'],
    ['a publication behind its replies', '2>1 1', '1(2)'],
    ['a second publication', '1 2 3>2', '1(2(3))'],
    ['the same document twice', '1 2>1 2>1 1', '1(2)'],
    ['a document that replies to itself', '1 2>2 3>2', '1(2(3))'],
    ['a circle', '1 2>4 3>2 4>3', '1(2(3(4)))'],
  ])('takes %s: %s', (_, links, expected) => {
    expect(drawn(buildTree(documents(linksOf(links))))).toBe(expected);
  });

  it('holds every document once, whatever replies to what', () => {
    const id = fc.integer({ min: 1, max: 12 });
    const links = fc.array(fc.tuple(id, fc.option(id)), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(links, (list) => {
        const ids = idsOf(buildTree(documents(list)));
        expect(ids.toSorted((a, b) => a - b)).toEqual(
          [...new Set(list.map(([one]) => one))].toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it('takes a conversation of a hundred thousand replies to replies', () => {
    const chain = Array.from({ length: 100_000 }, (_, at): Link => [at + 1, at === 0 ? null : at]);
    expect(idsOf(buildTree(documents(chain)))).toHaveLength(100_000);
  });

  it('refuses an empty list', () => {
    expect(() => buildTree([])).toThrow(OptionError);
  });
});
