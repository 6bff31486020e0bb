import type { Language, Sentiment } from '../../service/codes.js';
import type { CapturedAuthor, CapturedDocument } from '../captured.js';
import type { People } from './authors.js';
import type { Calendar } from './calendar.js';
import type { Network } from './networks.js';
import { detected } from './places.js';
import type { Random } from './random.js';
import type { Subject } from './subjects.js';
import type { Pen, Written } from './write.js';

/** What messages of one monitoring have in common. */
export interface Scene {
  readonly random: Random;
  readonly calendar: Calendar;
  readonly people: People;
  readonly subject: Subject;
  readonly languages: Readonly<Record<Language, number>>;
  readonly sentiments: Readonly<Record<Sentiment, number>>;
  /** Those of the peak. */
  readonly peakSentiments: Readonly<Record<Sentiment, number>>;
  /** A number that no other message has. */
  nextNumber(): number;
}

/** What a message's text, its author and its moment come from. */
export interface Draft {
  readonly network: Network;
  readonly author: CapturedAuthor;
  readonly spot: Subject['spots'][number];
  readonly pen: Pen;
  readonly written: Written;
  readonly published: number;
  readonly parent?: CapturedDocument;
}

/** The message without its metric of comments; `weight` scales its other metrics. */
export function makeMessage(scene: Scene, draft: Draft, weight: number): CapturedDocument {
  const { random, calendar, subject } = scene;
  const { network, author, pen, written, parent, published } = draft;
  const number = 7_100_000 + scene.nextNumber() * 37;
  const captured = calendar.after(published, 5);
  return {
    source: network.source,
    sourceId: String(number),
    parentSourceId: parent?.sourceId ?? null,
    title: written.title ?? null,
    text: written.text,
    imageUrl:
      !parent && random.chance(network.picture)
        ? `https://${network.site}/pictures/${number}.jpg`
        : null,
    url: `https://${network.site}/${subject.slug}/${number}`,
    language: pen.language,
    sentiment: pen.sentiment,
    ...locate(random, draft),
    published: new Date(published).toISOString(),
    // A reply is not captured before the message it is below.
    downloaded: new Date(
      Math.max(captured, parent ? Date.parse(parent.downloaded) : 0),
    ).toISOString(),
    metrics: reactions(random, network, weight),
    ...(written.topics.length > 0 && { tags: written.topics }),
    ...(random.chance(0.3) && { reviewers: [...random.pick(REVIEWERS)] }),
    author,
  };
}

const REVIEWERS = [[11], [12], [13], [11, 12]] as const;

function locate(random: Random, { network, author, spot, pen, parent }: Draft): Locations {
  const pinned = !parent && random.chance(network.pinned);
  const near = (degrees: number) => Math.round((degrees + random.next() * 0.02 - 0.01) * 1e5) / 1e5;
  const home = author.authorLocations?.[0];
  const here = pinned ? spot.place.location : home;
  // Who names the city, cites it.
  const cites = !parent && (pen.subject.kind === 'city' || random.chance(0.2));
  return {
    detectedLocations: here ? detected(here) : [],
    citedLocations: cites ? [spot.place.location] : [],
    ...(pinned && { lat: near(spot.place.lat), lon: near(spot.place.lon) }),
  };
}

type Locations = Pick<CapturedDocument, 'detectedLocations' | 'citedLocations' | 'lat' | 'lon'>;

function reactions(
  random: Random,
  { likes, shares, impressions }: Network,
  weight: number,
): NonNullable<CapturedDocument['metrics']> {
  const liked = random.skewed(Math.ceil(likes * weight));
  const metrics = [{ name: 'likes', value: liked }];
  if (shares) metrics.push({ name: 'shares', value: random.skewed(Math.ceil(shares * weight)) });
  if (impressions) {
    // Who likes something has seen it.
    const seen = liked + random.skewed(Math.ceil(impressions * weight));
    metrics.push({ name: 'impressions', value: seen });
  }
  return metrics;
}

/** Adds the metric of comments, where the network has it: how many messages stand below. */
export function countComments(
  { random }: Scene,
  { comments }: Network,
  document: CapturedDocument,
  below: number,
): CapturedDocument {
  if (comments === 'untold') return document;
  const value = comments === 'captured' ? below : random.skewed(60);
  return { ...document, metrics: [...(document.metrics ?? []), { name: 'comments', value }] };
}
