import type { Post } from './memory.js';

/** A post among its relatives, and the one that it stands below. */
export interface Relative {
  readonly post: Post;
  readonly parent: Post | null;
}

/**
 * The whole tree that a post belongs to, depth first. A reply whose parent is not there is a
 * publication, in a circle the first one is; the first of several posts with one sourceId has the
 * replies.
 */
export function contextOf(posts: readonly Post[], of: Post): Relative[] {
  const parents = new Map(posts.map((post) => [post, parentOf(posts, post)]));
  const root = rootOf(parents, of);
  // Where a circle is cut, the publication has no parent.
  parents.set(root, null);
  const below = (parent: Post): Relative[] =>
    posts
      .filter((post) => parents.get(post) === parent)
      .toSorted((a, b) => a.published - b.published || a.position - b.position)
      .flatMap((post) => [{ post, parent }, ...below(post)]);
  return [{ post: root, parent: null }, ...below(root)];
}

function parentOf(posts: readonly Post[], { document, monitoring }: Post): Post | null {
  const { source, parentSourceId } = document;
  const parent = posts.find(
    (post) =>
      post.monitoring === monitoring &&
      post.document.source === source &&
      post.document.sourceId === parentSourceId,
  );
  return parent ?? null;
}

function rootOf(parents: ReadonlyMap<Post, Post | null>, of: Post): Post {
  const line = [of];
  for (;;) {
    const parent = parents.get(line.at(-1)!);
    if (!parent) return line.at(-1)!;
    if (line.includes(parent)) {
      const circle = line.slice(line.indexOf(parent));
      return circle.toSorted((a, b) => a.position - b.position)[0]!;
    }
    line.push(parent);
  }
}
