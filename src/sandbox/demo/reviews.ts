import type { ImportedDocument } from '../../model/document.js';
import { IMPORT_SOURCE, type Sentiment } from '../../service/codes.js';
import type { Scene } from './messages.js';
import { detected, HOME_TOWNS } from './places.js';
import { type Pen, writeAnswer, writeImpression } from './write.js';

const SITE = 'https://reviews.example.com';

/** A review as a portal's export holds it, and sometimes the house's answer to it. */
export function makeReview(scene: Scene): ImportedDocument[] {
  const { random, calendar } = scene;
  const { published, inPeak } = calendar.publication();
  const sentiment = random.weighted(inPeak ? scene.peakSentiments : scene.sentiments);
  const language = random.weighted(scene.languages);
  const spot = random.pick(scene.subject.spots);
  const pen = { random, subject: scene.subject, name: spot.name, language, sentiment };
  const { text, topics } = writeImpression(pen, random.between(1, 3));
  const sourceId = `rv-${4200 + scene.nextNumber()}`;
  const review: ImportedDocument = {
    ...{ source: IMPORT_SOURCE, sourceId, parentSourceId: null, text, language, sentiment },
    detectedLocations: random.chance(0.6) ? detected(random.pick(HOME_TOWNS[language])) : [],
    published: new Date(published).toISOString(),
    downloaded: new Date(calendar.after(published, 48)).toISOString(),
    url: `${SITE}/${scene.subject.slug}/${sourceId}`,
    metrics: [
      { name: 'score', value: scoreOf(pen) },
      ...(random.chance(0.4) ? [{ name: 'likes', value: random.between(1, 9) }] : []),
    ],
    tags: topics,
    author: guest(pen),
  };
  return random.chance(0.25) ? [review, answerTo(scene, pen, review)] : [review];
}

/** Out of ten. */
function scoreOf({ random, sentiment }: Pen): number {
  const [least, most] = SCORES[sentiment];
  return random.between(least * 2, most * 2) / 2;
}

const SCORES: Readonly<Record<Sentiment, readonly [number, number]>> = {
  B: [8, 10],
  N: [6, 7],
  R: [1, 4],
};

function guest({ random, language }: Pen): NonNullable<ImportedDocument['author']> {
  const number = random.between(1, 40);
  return {
    source: IMPORT_SOURCE,
    sourceId: `guest-${language}-${number}`,
    username: `guest ${number}`,
    annotations: [
      { name: 'stay', value: random.pick(['Family', 'Couple', 'Business', 'Friends', 'Solo']) },
      { name: 'nights', value: String(random.between(1, 7)) },
    ],
  };
}

function answerTo(scene: Scene, pen: Pen, review: ImportedDocument): ImportedDocument {
  const { calendar, subject } = scene;
  const published = calendar.after(Date.parse(review.published as string), 72);
  const captured = Math.max(published, Date.parse(review.downloaded as string));
  const sourceId = `${review.sourceId}-answer`;
  return {
    source: IMPORT_SOURCE,
    sourceId,
    parentSourceId: review.sourceId as string,
    ...{ text: writeAnswer(pen, pen.sentiment).text, language: pen.language, sentiment: 'N' },
    detectedLocations: [],
    published: new Date(published).toISOString(),
    downloaded: new Date(calendar.after(captured, 24)).toISOString(),
    url: `${review.url}#answer`,
    metrics: [],
    tags: [],
    author: {
      ...{ source: IMPORT_SOURCE, sourceId: subject.slug, username: subject.name },
      annotations: [],
    },
  };
}
