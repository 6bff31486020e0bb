import type { CapturedDocument } from '../captured.js';
import { countComments, type Draft, makeMessage, type Scene } from './messages.js';
import type { Network } from './networks.js';
import * as write from './write.js';

/** A publication with everything below it, depth first. */
export function makeThread(scene: Scene, network: Network): CapturedDocument[] {
  const draft = draftPublication(scene, network);
  const publication = makeMessage(scene, draft, 1);
  const replies = makeReplies(scene, draft, publication, 1);
  return [countComments(scene, network, publication, replies.length), ...replies];
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
    const reply = makeMessage(scene, draft, 0.05);
    const below = makeReplies(scene, draft, reply, level + 1);
    return [countComments(scene, network, reply, below.length), ...below];
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
