import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { guessMapping } from '../../src/index.js';
import { FEEDS, type Feed } from '../formats/xml/feeds.js';
import { newFolder } from '../helpers/files.js';

it.each([
  ['google', ['content', 'ratings.overall', 'review_timestamp', 'reviewer.name']],
  ['judgeme', ['content', 'ratings.overall', 'review_timestamp', 'reviewer.name']],
  ['bazaarvoice', ['ReviewText', 'Rating', 'SubmissionTime', 'parent.Name']],
  ['wordpress', ['comment_content', 'comment_date_gmt', 'comment_author', 'parent.title']],
] as const)('finds the reviews in a feed of %s', async (name, columns) => {
  const { text, records } = FEEDS[name] as Feed;
  const file = path.join(newFolder(), 'feed.xml');
  writeFileSync(file, text);
  const { mapping: yaml } = await guessMapping({ input: file, ready: false });
  expect(yaml).toContain(`input: { format: xml, records: "${records}" }`);
  const [, rules = ''] = yaml.split(/^document:/m);
  for (const column of columns) expect(rules.replace(/#.*/g, '')).toContain(column);
});
