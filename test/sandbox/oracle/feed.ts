import type { Post } from './memory.js';

/** By the second of their download, then in the order of arrival. */
export function feedOf(posts: readonly Post[]): Post[] {
  return posts.toSorted((a, b) => a.downloaded - b.downloaded || a.position - b.position);
}

/** The cursor of a second: `yyyyMMddHHmmss.0`, or of a place among the documents of that second. */
export function cursorOf(downloaded: number, id = 0): string {
  const [date, time] = new Date(downloaded * 1000).toISOString().slice(0, 19).split('T');
  return `${date!.split('-').join('')}${time!.split(':').join('')}.${id}`;
}
