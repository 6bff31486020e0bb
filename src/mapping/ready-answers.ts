/** Layouts of what services answer, after their references: data, in no code's way. */
import type { ReadyMapping } from './ready-mapping.js';

/** In the order of their names. */
export const ANSWERS: readonly ReadyMapping[] = [
  {
    name: 'amazon-reviews-2023',
    layout: "Amazon reviews 2023, the McAuley Lab's set",
    format: 'jsonl',
    columns: ['rating', 'title', 'text', 'asin', 'parent_asin', 'user_id', 'timestamp'],
    basis: 'https://amazon-reviews-2023.github.io/',
  },
  {
    name: 'app-store-connect',
    layout: 'An answer of the App Store Connect API: customer reviews',
    format: 'json',
    columns: ['type', 'id', 'attributes.rating', 'attributes.body', 'attributes.territory'],
    basis: 'https://developer.apple.com/documentation/appstoreconnectapi/customerreview',
  },
  {
    name: 'google-business-profile',
    layout: 'An answer of the Google Business Profile API: reviews',
    format: 'json',
    columns: ['reviewId', 'reviewer', 'starRating', 'createTime', 'updateTime'],
    basis: 'https://developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews',
  },
  {
    name: 'steam',
    layout: "Steam's list of reviews of a game",
    format: 'json',
    columns: ['recommendationid', 'author', 'language', 'review', 'timestamp_created', 'voted_up'],
    basis: 'https://partner.steamgames.com/doc/store/getreviews',
  },
  {
    name: 'yelp-open-dataset',
    layout: 'The Yelp Open Dataset as it is today',
    format: 'jsonl',
    columns: [
      'review_id',
      'user_id',
      'business_id',
      'stars',
      'useful',
      'funny',
      'cool',
      'text',
      'date',
    ],
    basis: 'https://business.yelp.com/data/resources/open-dataset/',
  },
];
