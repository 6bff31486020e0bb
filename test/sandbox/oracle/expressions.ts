import fc from 'fast-check';

/** A boolean expression, as it is generated: the oracle never sees the text that is sent. */
export type Tree<Leaf> =
  | { readonly leaf: Leaf }
  | { readonly all: readonly Tree<Leaf>[]; readonly spelledOut: boolean }
  | { readonly any: readonly Tree<Leaf>[] }
  | { readonly not: Tree<Leaf> }
  /** The same in parentheses that nobody needs. */
  | { readonly wrapped: Tree<Leaf> };

/** Small random expressions over `leaf`. */
export function trees<Leaf>(leaf: fc.Arbitrary<Leaf>): fc.Arbitrary<Tree<Leaf>> {
  return fc.letrec<{ tree: Tree<Leaf> }>((tie) => {
    const parts = fc.array(tie('tree'), { minLength: 2, maxLength: 3 });
    return {
      tree: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 5, arbitrary: fc.record({ leaf }) },
        { weight: 2, arbitrary: fc.record({ all: parts, spelledOut: fc.boolean() }) },
        { weight: 3, arbitrary: fc.record({ any: parts }) },
        { weight: 1, arbitrary: fc.record({ not: tie('tree') }) },
        { weight: 1, arbitrary: fc.record({ wrapped: tie('tree') }) },
      ),
    };
  }).tree;
}

/** The tree with other leaves. */
export function mapTree<From, To>(tree: Tree<From>, leafOf: (leaf: From) => To): Tree<To> {
  const map = (part: Tree<From>): Tree<To> => mapTree(part, leafOf);
  if ('leaf' in tree) return { leaf: leafOf(tree.leaf) };
  if ('all' in tree) return { ...tree, all: tree.all.map(map) };
  if ('any' in tree) return { any: tree.any.map(map) };
  return 'not' in tree ? { not: map(tree.not) } : { wrapped: map(tree.wrapped) };
}

/** Whether the expression is true, given which leaves are. */
export function isTrue<Leaf>(tree: Tree<Leaf>, leafIsTrue: (leaf: Leaf) => boolean): boolean {
  const holds = (part: Tree<Leaf>): boolean => isTrue(part, leafIsTrue);
  if ('leaf' in tree) return leafIsTrue(tree.leaf);
  if ('all' in tree) return tree.all.every(holds);
  if ('any' in tree) return tree.any.some(holds);
  return 'not' in tree ? !holds(tree.not) : holds(tree.wrapped);
}

const LOOSE = 0;
const TIGHT = 1;
const TIGHTEST = 2;

/** As it is sent: `NOT` before `AND` before `OR`, `AND` may be left out, operands as they come. */
export function written(tree: Tree<string>, around: number = LOOSE): string {
  if ('leaf' in tree) return operand(tree.leaf);
  if ('wrapped' in tree) return `( ${written(tree.wrapped)})`;
  if ('not' in tree) return `NOT ${written(tree.not, TIGHTEST)}`;
  const [parts, joint, binding] =
    'all' in tree
      ? ([tree.all, tree.spelledOut ? ' AND ' : ' \t', TIGHT] as const)
      : ([tree.any, ' OR\n', LOOSE] as const);
  const text = parts.map((part) => written(part, binding + 1)).join(joint);
  return around > binding ? `(${text})` : text;
}

/** In quotes unless it can't be mistaken for anything else. */
function operand(text: string): string {
  const bare = /^[^\s()"]+$/.test(text) && !['AND', 'OR', 'NOT'].includes(text);
  return bare ? text : `"${text}"`;
}
