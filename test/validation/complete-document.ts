/** A document with every field that the complete profile asks for. */
export const COMPLETE = {
  source: 'RVW',
  sourceId: 'r-1',
  text: 'Muy bien 👍',
  language: 'es',
  sentiment: 'B',
  detectedLocations: ['country: España', 'region of the country: Norte', 'city: Madrid'],
  published: '2024-06-03T16:30:00.000Z',
  downloaded: '2026-01-31T10:30:00+01:00',
  url: 'https://reviews.example.com/r-1?a=é#b',
  metrics: [{ name: 'score', value: 4.6 }],
  author: {
    source: 'RVW',
    sourceId: 'a-1',
    username: 'Ana',
    annotations: [{ name: 'room', value: '' }],
  },
};
