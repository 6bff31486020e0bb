import { ServiceError } from '../model/errors.js';

/** How an operation's pages follow each other. */
interface Paging<Page, Item> {
  /** How many to skip before the first page. */
  readonly start: number;
  readonly ask: (offset: number) => Promise<Page>;
  readonly items: (page: Page) => readonly Item[];
  /** How many there are on all pages, counted from an offset of 0. */
  readonly total: (page: Page) => number;
}

/**
 * Gives the items of page after page, each page asked for with the number already received, until
 * a page is empty or the total is reached.
 * @throws ServiceError if pages come again: the service ignores the offset
 */
export async function* allPages<Page, Item extends { readonly id: number }>({
  start,
  ask,
  items,
  total,
}: Paging<Page, Item>): AsyncGenerator<Item, void, undefined> {
  let offset = start;
  const firstIds = new Set<number>();
  for (;;) {
    const page = await ask(offset);
    const received = items(page);
    const first = received[0];
    if (first === undefined) return;
    if (firstIds.has(first.id)) throw sameAgain(offset, first.id);
    firstIds.add(first.id);
    yield* received;
    offset += received.length;
    if (offset >= total(page)) return;
  }
}

function sameAgain(offset: number, id: number): ServiceError {
  return new ServiceError(
    `The page at offset ${offset} starts with ${id}, as an earlier page does: the service seems to ignore the offset, so the pages would never end.`,
    { status: 200, messages: [] },
  );
}
