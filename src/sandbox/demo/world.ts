import type { ImportedDocument } from '../../model/document.js';
import type { Language, Sentiment } from '../../service/codes.js';
import type { NewMonitoring } from '../../service/resources.js';
import type { CapturedDocument } from '../captured.js';
import { createPeople, type People } from './authors.js';
import { createCalendar, type Span } from './calendar.js';
import type { Scene } from './messages.js';
import { type DemoSource, NETWORKS } from './networks.js';
import { createRandom } from './random.js';
import { makeReview } from './reviews.js';
import { CITY, HOTEL_GROUP, PAUSED_HOTEL, type Subject } from './subjects.js';
import { makeThread } from './threads.js';

/** A small world of made-up subjects, people and messages. */
export interface DemoWorld {
  readonly monitorings: readonly NewMonitoring[];
  /** What each monitoring captured, in the order of capture: parents come before their replies. */
  readonly documents: readonly OfMonitoring<CapturedDocument>[];
  /** Reviews that were imported. */
  readonly reviews: readonly OfMonitoring<ImportedDocument>[];
}

/** Documents of one monitoring. */
export interface OfMonitoring<Item> {
  /** Its place in `monitorings`, from 0. */
  readonly monitoring: number;
  readonly documents: readonly Item[];
}

/**
 * The demo's world, seen from `now`: the same for the whole of a day (UTC). Every date lies in the
 * 120 days before that day.
 */
export function demoWorld(now: Date): DemoWorld {
  const people = createPeople(SEED);
  const parts = PLANS.map((plan, index) => makePart(plan, index, people, now));
  return {
    monitorings: PLANS.map(({ monitoring }) => monitoring),
    documents: parts.map(({ captured }, monitoring) => ({ monitoring, documents: captured })),
    reviews: parts
      .map(({ reviews }, monitoring) => ({ monitoring, documents: reviews }))
      .filter(({ documents }) => documents.length > 0),
  };
}

const SEED = 20_240_531;

/** What one monitoring is to hold. */
interface Plan {
  readonly monitoring: NewMonitoring;
  readonly subject: Subject;
  readonly span: Span;
  readonly languages: Readonly<Record<Language, number>>;
  readonly sentiments: Readonly<Record<Sentiment, number>>;
  readonly peakSentiments: Readonly<Record<Sentiment, number>>;
  /** How many publications each network has. */
  readonly threads: Readonly<Partial<Record<DemoSource, number>>>;
  readonly reviews: number;
}

const PLANS: readonly Plan[] = [
  {
    monitoring: {
      title: 'Brisalta Hotels',
      status: 'active',
      searches: [
        { source: 'FCP', query: 'https://pages.example.com/brisalta', includeComments: true },
        { source: 'ITB', query: 'https://photos.example.com/brisalta', includeComments: true },
        { source: 'TWT', query: 'brisalta', language: 'es' },
        { source: 'TWT', query: 'brisalta', language: 'en' },
        { source: 'NTC', query: '"Brisalta Hotels"', language: 'es' },
        { source: 'GPC', query: 'https://maps.example.com/brisalta-puerto' },
        { source: 'TPD', query: 'https://trips.example.com/brisalta-puerto' },
        { source: 'YTB', query: 'brisalta hotel', includeComments: true },
      ],
    },
    subject: HOTEL_GROUP,
    // The heating broke down in one week, and people wrote about it.
    span: { oldest: 119, newest: 1, peak: { oldest: 38, newest: 33 } },
    languages: { es: 32, en: 26, de: 11, fr: 9, nl: 8, pt: 6, cs: 8 },
    sentiments: { B: 52, N: 26, R: 22 },
    peakSentiments: { B: 15, N: 20, R: 65 },
    threads: { FCP: 12, ITB: 7, ITG: 16, TWT: 22, NTC: 8, GPC: 22, TPD: 22, YTB: 4 },
    reviews: 48,
  },
  {
    monitoring: {
      title: 'Talmora, the city brand',
      status: 'active',
      searches: [
        { source: 'FCP', query: 'https://pages.example.com/talmora', includeComments: true },
        { source: 'ITB', query: 'https://photos.example.com/talmora', includeComments: true },
        { source: 'TWT', query: 'talmora', language: 'es' },
        { source: 'NTC', query: 'talmora', language: 'es' },
        { source: 'NTC', query: 'talmora', language: 'en' },
        { source: 'YTB', query: 'talmora travel', includeComments: true },
      ],
    },
    subject: CITY,
    // The week of the lantern festival.
    span: { oldest: 119, newest: 1, peak: { oldest: 16, newest: 10 } },
    languages: { es: 38, en: 22, de: 9, fr: 8, nl: 7, pt: 8, cs: 8 },
    sentiments: { B: 48, N: 34, R: 18 },
    peakSentiments: { B: 70, N: 20, R: 10 },
    threads: { FCP: 9, ITB: 6, ITG: 18, TWT: 20, NTC: 14, YTB: 4 },
    reviews: 0,
  },
  {
    monitoring: {
      title: 'Casa Ostrella (until the sale)',
      status: 'paused',
      searches: [
        { source: 'FCP', query: 'https://pages.example.com/casaostrella', includeComments: true },
        { source: 'TPD', query: 'https://trips.example.com/casa-ostrella' },
      ],
    },
    subject: PAUSED_HOTEL,
    span: { oldest: 119, newest: 70 },
    languages: { es: 46, en: 18, de: 7, fr: 7, nl: 6, pt: 10, cs: 6 },
    sentiments: { B: 40, N: 30, R: 30 },
    peakSentiments: { B: 40, N: 30, R: 30 },
    threads: { FCP: 4, TPD: 10 },
    reviews: 0,
  },
];

function makePart(
  plan: Plan,
  index: number,
  people: People,
  now: Date,
): { captured: CapturedDocument[]; reviews: ImportedDocument[] } {
  const scene = makeScene(plan, index, people, now);
  const networks = Object.entries(plan.threads) as [DemoSource, number][];
  const captured = networks.flatMap(([source, count]) =>
    Array.from({ length: count }).flatMap(() => makeThread(scene, NETWORKS[source])),
  );
  const reviews = Array.from({ length: plan.reviews }).flatMap(() => makeReview(scene));
  return { captured: inOrderOfCapture(captured), reviews: inOrderOfCapture(reviews) };
}

function makeScene(plan: Plan, index: number, people: People, now: Date): Scene {
  // Numbers of their own, so that a change of one monitoring leaves the others as they are.
  const random = createRandom(SEED + 1 + index);
  let number = index * 10_000;
  return {
    random,
    people,
    calendar: createCalendar(random, now, plan.span),
    subject: plan.subject,
    languages: plan.languages,
    sentiments: plan.sentiments,
    peakSentiments: plan.peakSentiments,
    nextNumber: () => {
      number += 1;
      return number;
    },
  };
}

/** Sorting is stable, and no reply is captured before what it replies to. */
function inOrderOfCapture<Item extends { readonly downloaded?: string }>(items: Item[]): Item[] {
  return items.toSorted((a, b) => Date.parse(a.downloaded ?? '') - Date.parse(b.downloaded ?? ''));
}
