import type { Sentiment } from '../../../service/codes.js';

/** What the people of one language write. `{name}` stands for the hotel or the city. */
export interface Voice {
  /** First sentences, that fit a hotel and a city alike. */
  readonly openings: BySentiment<readonly string[]>;
  /** What is said about the one or the other; the topic becomes a tag. */
  readonly details: {
    readonly hotel: Details<HotelTopic>;
    readonly city: Details<CityTopic>;
  };
  /** What is written below a post. */
  readonly comments: BySentiment<readonly string[]>;
  /** What the official account answers to such a message. */
  readonly answers: BySentiment<readonly string[]>;
  /** What the official account posts. */
  readonly posts: BySubject<readonly string[]>;
  readonly news: BySubject<BySentiment<readonly NewsItem[]>>;
  /** How people describe themselves. */
  readonly abouts: readonly string[];
}

/** Title and first paragraph. */
export type NewsItem = readonly [title: string, lead: string];

/** One value for each sentiment. */
export type BySentiment<Value> = Readonly<Record<Sentiment, Value>>;

type BySubject<Value> = Readonly<Record<'hotel' | 'city', Value>>;

/** What guests write about. */
export type HotelTopic = 'rooms' | 'staff' | 'food' | 'location';

/** What visitors write about. */
export type CityTopic = 'beaches' | 'culture' | 'food' | 'transport';

/** Sentences by sentiment and topic. */
export type Details<Topic extends string> = BySentiment<Readonly<Record<Topic, readonly string[]>>>;
