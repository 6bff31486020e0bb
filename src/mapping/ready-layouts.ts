/** The layouts of exports for which there is a mapping in `mappings/`: data, in no code's way. */

/** A layout, and the mapping that was written for it. */
export interface ReadyMapping {
  /** Of the file in `mappings/`, without its ending. */
  readonly name: string;
  /** What the export is. */
  readonly layout: string;
  readonly format: 'csv' | 'jsonl' | 'json';
  /** The whole header, in order; of objects, the keys that each of them has. */
  readonly columns: readonly string[];
  /** Whether the mapping was tried on a real export; if not, on what public page it rests. */
  readonly basis: 'real export' | 'own layout' | `https://${string}`;
}

/** In the order of their names. */
export const READY_MAPPINGS: readonly ReadyMapping[] = [
  {
    name: 'amazon-fine-food',
    layout: 'Amazon fine food reviews, as used in tutorials',
    format: 'csv',
    columns: ['', 'Time', 'ProductId', 'UserId', 'Score', 'Summary', 'Text'],
    basis: 'real export',
  },
  {
    name: 'app-reviews',
    layout: "The project's own JSON Lines layout: reviews of an app",
    format: 'jsonl',
    columns: ['id', 'app', 'user', 'review', 'rating', 'at', 'device', 'votes'],
    basis: 'own layout',
  },
  {
    name: 'booking-extranet',
    layout: "A hotel's own download from the Booking.com extranet",
    format: 'csv',
    columns: [
      'Review date',
      'Guest name',
      'Reservation Number',
      'Review title',
      'Positive review',
      'Negative review',
      'Review score',
      'Staff',
      'Cleanliness',
      'Location',
      'Facilities',
      'Comfort',
      'Value for money',
      'Property reply',
    ],
    basis: 'real export',
  },
  {
    name: 'google-places',
    layout: 'An answer of the Google Places API',
    format: 'json',
    columns: ['author_name', 'rating', 'relative_time_description', 'text', 'time'],
    basis: 'real export',
  },
  {
    name: 'google-reviews-de',
    layout: 'Google reviews in a table from a German Excel',
    format: 'csv',
    columns: ['Name der Klinik', 'Bewertung', 'Datum der Bewertung', 'Sternebewertung', 'Likes'],
    basis: 'real export',
  },
  {
    name: 'googleplay',
    layout: 'Google Play reviews of an app, a scrape',
    format: 'csv',
    columns: ['name', 'date', 'rate', 'text', 'helpful'],
    basis: 'real export',
  },
  {
    name: 'hotel-reviews',
    layout: "The project's own CSV layout: reviews of hotels",
    format: 'csv',
    columns: [
      'Review ID',
      'Hotel',
      'Room type',
      'Guest',
      'Country',
      'City',
      'Language',
      'Date',
      'Rating',
      'Title',
      'Liked',
      'Disliked',
      'Tags',
      'Helpful',
      'Status',
    ],
    basis: 'own layout',
  },
  {
    name: 'mercadolivre',
    layout: 'Mercado Livre product reviews, a scrape',
    format: 'csv',
    columns: ['texto', 'nota', 'id', 'data'],
    basis: 'real export',
  },
  {
    name: 'tripadvisor-airlines-es',
    layout: 'Tripadvisor airline reviews, a Spanish scrape',
    format: 'csv',
    columns: [
      'id',
      'origin_user',
      'origin',
      'destination',
      'flight_type',
      'travel_date',
      'overall_rating',
      'review_text',
    ],
    basis: 'real export',
  },
  {
    name: 'tripadvisor-scrape-fr',
    layout: 'Tripadvisor destinations, a French scrape',
    format: 'csv',
    columns: ['Origine', 'Destination', 'Page Link', 'Title', 'Content', 'Rating'],
    basis: 'real export',
  },
  {
    name: 'trustpilot-apify',
    layout: 'Trustpilot reviews, by the Apify scraper',
    format: 'csv',
    columns: [
      'companyPageUrl',
      'reviewId',
      'companyName',
      'businessUnitId',
      'reviewUrl',
      'reviewDate',
      'reviewDateOfExperience',
      'reviewLabel',
      'isReviewVerified',
      'reviewer',
      'reviewerId',
      'reviewTitle',
      'reviewDescription',
      'reviewRatingScore',
      'reviewersCountry',
      'reviewLanguage',
      'reviewCompanyResponse',
      'scrapedDateTime',
      'scrapedAtReviewPageNumber',
    ],
    basis: 'real export',
  },
  {
    name: 'yelp-academic',
    layout: 'The Yelp academic set as it was at first',
    format: 'jsonl',
    columns: ['votes', 'user_id', 'review_id', 'stars', 'date', 'text', 'type', 'business_id'],
    basis: 'real export',
  },
];
