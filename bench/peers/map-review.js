// @ts-check
/** What `reviews.mapping.yaml` says, written out by hand. */
import { DateTime } from 'luxon';

/** @typedef {Record<'id' | 'date' | 'guest' | 'language' | 'city' | 'rating' | 'text', string>} Review */

/**
 * @param {Review} review a row of the export
 * @param {string} downloaded when the run began, ISO 8601
 */
export function mapReview(review, downloaded) {
  const rating = Number(review.rating);
  const city = review.city.trim();
  const guest = review.guest.trim();
  const date = DateTime.fromFormat(review.date.trim(), 'yyyy-MM-dd HH:mm', {
    zone: 'Europe/Madrid',
  });
  if (!date.isValid) throw new Error(`${review.id}: the date ${review.date} can't be read`);
  if (Number.isNaN(rating))
    throw new Error(`${review.id}: the rating ${review.rating} is no number`);
  return {
    source: 'RVW',
    sourceId: review.id.trim(),
    text: review.text.trim(),
    language: review.language.trim(),
    sentiment: rating >= 8 ? 'B' : rating >= 5 ? 'N' : 'R',
    detectedLocations: [`city: ${city}`],
    published: date.toJSDate().toISOString(),
    downloaded,
    url: `https://reviews.example.com/${review.id.trim()}`,
    metrics: [{ name: 'score', value: 1 + (rating / 10) * 4 }],
    tags: ['imported'],
    author: {
      source: 'RVW',
      sourceId: guest,
      username: guest,
      annotations: [{ name: 'city', value: city }],
    },
  };
}
