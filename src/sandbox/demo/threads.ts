import type { Language, Sentiment } from '../../service/codes.js';
import type { CapturedAuthor, CapturedDocument } from '../captured.js';
import type { People } from './authors.js';
import type { Calendar } from './calendar.js';
import type { Network } from './networks.js';
import { detected } from './places.js';
import type { Random } from './random.js';
import type { Subject } from './subjects.js';
import * as write from './write.js';

/** What threads of one monitoring have in common. */
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
interface Draft {
  readonly network: Network;
  readonly author: CapturedAuthor;
  readonly spot: Subject['spots'][number];
  readonly pen: write.Pen;
  readonly written: write.Written;
  readonly published: number;
  readonly parent?: CapturedDocument;
}

/** A publication with everything below it, depth first. */
export function makeThread(scene: Scene, network: Network): CapturedDocument[] {
  const draft = draftPublication(scene, network);
  const publication = finish(scene, draft, 1);
  const replies = makeReplies(scene, draft, publication, 1);
  return [withComments(scene, network, publication, replies.length), ...replies];
}

function draftPublication(scene: Scene, network: Network): Draft {
  const { random, subject } = scene;
  const { published, inPeak } = scene.calendar.publication();
  const official = random.chance(network.official);
  const language = official ? random.pick(OFFICIAL_LANGUAGES) : random.weighted(scene.languages);
  const sentiments = inPeak ? scene.peakSentiments : scene.sentiments;
  const sentiment = official ? 'B' : random.weighted(sentiments);
  const spot = random.pick(subject.spots);
  // Posts and news are about the whole, impressions about one house.
  const general = official || network.source === 'NTC';
  const name = general ? subject.name : spot.name;
  const pen = { random, subject, name, language, sentiment };
  const author = official
    ? scene.people.official(network, subject)
    : scene.people.writer(network, language);
  return { network, author, spot, pen, written: publish(network, pen, official), published };
}

/** The official account posts in the languages it can be read in, and in those of its neighbours. */
const OFFICIAL_LANGUAGES = ['es', 'es', 'es', 'es', 'en', 'en', 'fr', 'pt', 'de'] as const;

function publish(network: Network, pen: write.Pen, official: boolean): write.Written {
  const { random } = pen;
  if (network.source === 'NTC') return write.writeNews(pen);
  const written = official
    ? write.writePost(pen)
    : write.writeImpression(pen, random.between(...network.details));
  if (network.source === 'YTB' || network.source === 'TPD') return entitle(written);
  return network.hashtags ? { ...written, text: decorate(pen, written.text) } : written;
}

/** Videos and reviews of travel sites have a title: here the first sentence. */
function entitle({ text, topics }: write.Written): write.Written {
  const [title = '', ...rest] = text.split(/(?<=[.!?]) /);
  return { title, text: rest.length > 0 ? rest.join(' ') : text, topics };
}

function decorate({ random, subject, sentiment }: write.Pen, text: string): string {
  const emoji = random.chance(0.5) ? random.pick(EMOJI[sentiment]) : '';
  return [text, emoji, subject.hashtag].filter((part) => part !== '').join(' ');
}

const EMOJI = { B: ['😍', '☀️', '🌊', '👏'], N: ['📍', '🧳'], R: ['😡', '👎', '🙄'] } as const;

/** Replies to a message and what is below them; on each level at most half as many as above. */
function makeReplies(
  scene: Scene,
  above: Draft,
  parent: CapturedDocument,
  level: number,
): CapturedDocument[] {
  const { network } = above;
  const most = Math.floor(network.replies / 2 ** (level - 1));
  if (most === 0) return [];
  const count = scene.random.between(0, most);
  return Array.from({ length: count }).flatMap(() => {
    const draft = draftReply(scene, above, parent);
    const reply = finish(scene, draft, 0.05);
    const below = makeReplies(scene, draft, reply, level + 1);
    return [withComments(scene, network, reply, below.length), ...below];
  });
}

function draftReply(scene: Scene, above: Draft, parent: CapturedDocument): Draft {
  const { random, people, subject } = scene;
  const { network, spot } = above;
  const own = people.official(network, subject);
  const official = above.author.sourceId !== own.sourceId && random.chance(answerChance(network));
  // Most reply in the language of the message, and everybody can write in English.
  const language = official || random.chance(0.85) ? above.pen.language : 'en';
  const sentiment = official ? 'N' : random.weighted(scene.sentiments);
  const pen = { ...above.pen, language, sentiment };
  return {
    ...{ network, spot, pen, parent },
    author: official ? own : people.writer(network, language),
    written: official ? write.writeAnswer(pen, above.pen.sentiment) : write.writeComment(pen),
    published: scene.calendar.after(Date.parse(parent.published), 18),
  };
}

/** Below a review only the reviewed one replies. */
function answerChance({ source }: Network): number {
  return source === 'GPC' || source === 'TPD' ? 1 : 0.4;
}

/** The message without its metric of comments; `weight` scales its other metrics. */
function finish(scene: Scene, draft: Draft, weight: number): CapturedDocument {
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

function withComments(
  { random }: Scene,
  { comments }: Network,
  document: CapturedDocument,
  below: number,
): CapturedDocument {
  if (comments === 'untold') return document;
  const value = comments === 'captured' ? below : random.skewed(60);
  return { ...document, metrics: [...(document.metrics ?? []), { name: 'comments', value }] };
}
