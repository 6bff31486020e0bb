/** What the words of a column's name can speak of. */
export const CONCEPTS = [
  // What a review consists of.
  'review',
  'text',
  'title',
  'positive',
  'negative',
  'rating',
  'best',
  'recommend',
  'aspect',
  'sentiment',
  'language',
  'tag',
  'url',
  'image',
  'likes',
  'dislikes',
  'comments',
  'shares',
  'original',
  // Dates.
  'date',
  'written',
  'updated',
  'experience',
  'scraped',
  // Who, and where.
  'author',
  'name',
  'id',
  'place',
  'country',
  'region',
  'city',
  'location',
  'email',
  // What makes a column another thing than its other words say.
  'reply',
  'parent',
  'count',
  'average',
  'row',
  'processed',
  'description',
  'version',
  'joined',
  'flag',
] as const;

/** See {@link CONCEPTS}. */
export type Concept = (typeof CONCEPTS)[number];

/**
 * The words of one language, in small letters and without accents, by what they speak of. A word may
 * speak of several things: the values of the column then decide.
 */
export type Lexicon = Readonly<Partial<Record<Concept, string>>>;
