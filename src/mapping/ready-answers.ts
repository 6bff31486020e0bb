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
    name: 'booking-review-api',
    layout: "An answer of Booking.com's Guest Review API",
    format: 'json',
    columns: ['review_id', 'created_timestamp', 'content', 'scoring.review_score', 'reviewer'],
    basis: 'https://developers.booking.com/connectivity/docs/review-api/retrieve-reviews',
  },
  {
    name: 'expedia-rapid',
    layout: "An answer of Expedia Group's Rapid API: guest reviews",
    format: 'json',
    columns: ['verification_source', 'date_submitted', 'rating', 'reviewer_name', 'text'],
    basis: 'https://developers.expediagroup.com/rapid',
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
    name: 'tripadvisor-content-api',
    layout: 'An answer of the Tripadvisor Content API: reviews',
    format: 'json',
    columns: [
      'id',
      'lang',
      'location_id',
      'published_date',
      'rating',
      'rating_image_url',
      'text',
      'title',
      'user',
    ],
    basis: 'https://tripadvisor-content-api.readme.io/reference/getlocationreviews',
  },
  {
    name: 'viator-api',
    layout: 'An answer of the Viator partner API: reviews',
    format: 'json',
    columns: ['reviewReference', 'language', 'publishedDate', 'rating', 'text', 'provider'],
    basis: 'https://docs.viator.com/partner-api/technical/',
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
