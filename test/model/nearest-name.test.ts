import { expect, test } from 'vitest';
import { nearestName } from '../../src/model/nearest-name.js';

test.each([
  ['band', ['bands', 'hand', 'date'], 'bands'],
  ['Review ID', ['review_id', 'Rating'], 'review_id'],
  ['sourceid', ['source', 'sourceId'], 'sourceId'],
  ['Titel', ['Title', 'Text'], 'Title'],
  ['xyz', ['Title', 'Text'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('%j among %j is %j', (name, candidates, nearest) => {
  expect(nearestName(name, candidates)).toBe(nearest);
});
