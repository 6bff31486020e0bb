import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Feed {
  readonly records: string;
  readonly reviews: number;
  readonly text: string;
}

/** A made-up feed in the layout of a program, of `feeds/`, with the path of its reviews. */
function feed(name: string, records: string, reviews: number): Feed {
  const file = path.join(import.meta.dirname, 'feeds', `${name}.xml`);
  return { records, reviews, text: readFileSync(file, 'utf8') };
}

export const FEEDS: Readonly<Record<string, Feed>> = {
  google: feed('google', 'feed/reviews/review', 3),
  bazaarvoice: feed('bazaarvoice', 'Feed/Product[]/Reviews/Review', 3),
  judgeme: feed('judgeme', 'feed/reviews/review', 2),
  wordpress: feed('wordpress', 'rss/channel/item[]/comment', 3),
};

/** What may stand before, between and behind elements, and is none of them. */
const BETWEEN =
  '<!-- <review>no</review> -->\n<![CDATA[<review> & ]] ]]>\r\n<?keep <review> ?>\ntext > text';

const withOthers = (...elements: string[]): string => ['', ...elements, ''].join(BETWEEN);

const product = (name: string, ...reviews: string[]): string => {
  const inside = reviews.map((id) => `<review>${withOthers(`<id>${id}</id>`)}</review>`);
  return `<p><name>${name}</name>${withOthers(`<reviews>${withOthers(...inside)}</reviews>`)}</p>`;
};

/** Reviews with comments, CDATA sections, instructions and text around all that is around them. */
export const SECTIONS: string = withOthers(
  `<feed>${withOthers(product('a', '1', '2'), product('b', '3'))}</feed>`,
);
