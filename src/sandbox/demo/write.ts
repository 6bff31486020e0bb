import type { Language, Sentiment } from '../../service/codes.js';
import type { Random } from './random.js';
import type { Subject } from './subjects.js';
import { VOICES } from './texts/voices.js';

/** A text, and the topics it is about. */
export interface Written {
  readonly title?: string;
  readonly text: string;
  readonly topics: readonly string[];
}

/** Who writes about what, and in which mood. */
export interface Pen {
  readonly random: Random;
  readonly subject: Subject;
  /** What the text calls the subject: a house of the group, or its own name. */
  readonly name: string;
  readonly language: Language;
  readonly sentiment: Sentiment;
}

/** An opening, and as many details as asked for, each about another topic. */
export function writeImpression(pen: Pen, details: number): Written {
  const opening = pen.random.deal(VOICES[pen.language].openings[pen.sentiment]);
  const { sentences, topics } = writeDetails(pen, details);
  return { text: [opening.replaceAll('{name}', pen.name), ...sentences].join(' '), topics };
}

/** What somebody writes below a message; those who judge often say why. */
export function writeComment(pen: Pen): Written {
  const { random, language, sentiment } = pen;
  const comment = random.deal(VOICES[language].comments[sentiment]);
  const why = sentiment !== 'N' && random.chance(0.5) ? 1 : 0;
  const { sentences, topics } = writeDetails(pen, why);
  return { text: [comment, ...sentences].join(' '), topics };
}

function writeDetails(
  { random, subject, language, sentiment }: Pen,
  count: number,
): { sentences: string[]; topics: string[] } {
  const byTopic = VOICES[language].details[subject.kind][sentiment];
  const topics = Object.keys(byTopic);
  const first = random.between(0, topics.length - 1);
  const chosen = [...topics.slice(first), ...topics.slice(0, first)].slice(0, count);
  const lists = byTopic as Readonly<Record<string, readonly string[]>>;
  return { sentences: chosen.map((topic) => random.deal(lists[topic] ?? [])), topics: chosen };
}

/** What the official account replies to a message of this sentiment. */
export function writeAnswer({ random, language }: Pen, to: Sentiment): Written {
  return { text: random.deal(VOICES[language].answers[to]), topics: [] };
}

/** What the official account publishes. */
export function writePost(pen: Pen): Written {
  const posts = VOICES[pen.language].posts[pen.subject.kind];
  return { text: call(pen.random.deal(posts), pen), topics: ['official'] };
}

/** An article: its title, and how it begins. */
export function writeNews(pen: Pen): Written {
  const items = VOICES[pen.language].news[pen.subject.kind][pen.sentiment];
  const [title, lead] = pen.random.deal(items);
  return { title: call(title, pen), text: lead, topics: ['press'] };
}

function call(sentence: string, { name }: Pen): string {
  return sentence.replaceAll('{name}', name);
}
