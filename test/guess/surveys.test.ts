/** Exports of forms with many questions. */
import { describe, expect, it } from 'vitest';
import { guessText } from '../../src/cli/output/guess-text.js';
import { commentParts } from '../../src/guess/write-mapping.js';
import { type Guess, guessMapping } from '../../src/index.js';
import { displayWidth } from '../../src/model/terminal.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';
import { csv, FORM } from './survey-form.js';

const written = (form = FORM): string => put(newFolder(), 'event.csv', csv(form));

async function guessed(input = written()): Promise<Guess> {
  return await guessMapping({ input });
}

/** The comment lines of a mapping. */
const comments = (mapping: string): readonly string[] =>
  mapping.split('\n').filter((line) => line.trim().startsWith('#'));

describe('a guess of a form with 45 questions', () => {
  it('has a form of that many columns', () => {
    expect(Object.keys(FORM)).toHaveLength(45);
  });

  it.each([80, 100, 140])('is at most 45 lines in a terminal of %i columns', async (width) => {
    const lines = guessText(await guessed(), 'event.yaml', { width, color: false }).split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    const starts = lines.flatMap((line, at) => (/^\d+\. |^$/u.test(line) ? [at] : []));
    const ofQuestions = starts.filter((at) => /^\d/u.test(lines[at] ?? ''));
    for (const at of ofQuestions) {
      expect((starts.find((next) => next > at) ?? at) - at).toBeLessThanOrEqual(6);
    }
  });

  it('asks once which answers are the review, with all that may be', async () => {
    const { questions, mapping } = await guessed();
    const asked = questions.filter(({ field }) => field === 'text');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.checklist).toHaveLength(11);
    expect(asked[0]?.todo).toContain('docferry studio');
    expect(asked[0]?.checklist).toContainEqual({
      column: 'What did you like most?',
      isChosen: true,
      words: expect.any(Number),
      sample: expect.stringContaining('when it came to what was good'),
    });
    const listed = comments(mapping).filter((line) => line.includes('[x] "'));
    expect(listed).toHaveLength(11);
    expect(listed.join('\n')).toMatch(/\[x\] "What did you like most\?", \d+ words: "/u);
    expect(Math.max(...comments(mapping).map((line) => line.length))).toBeLessThan(120);
  });

  it('keeps the checklist with its question', async () => {
    const { mapping } = await guessed();
    const lines = mapping.split('\n');
    const start = lines.findIndex((line) => line.includes('TODO: which answers'));
    const end = lines.findIndex((line) => line.startsWith('  text:'));
    const parts = commentParts(lines.slice(start - 1, end));
    expect(parts.map(({ kind }) => kind)).toEqual(['evidence', 'open']);
  });

  it('makes annotations of closed questions, and texts of the open ones', async () => {
    const input = written();
    const { mapping } = await guessed(input);
    const [document] = await documentsMade(input, mapping);
    const annotations = Object.fromEntries(
      (document?.author?.annotations ?? []).map(({ name, value }) => [name, value]),
    );
    expect(annotations).toMatchObject({
      'Which days did you come?': 'Monday 3 June',
      'Did you see the keynote?': 'Yes',
      'How many of our events have you seen?': '1',
      'The speakers of day 3 were good': 'Strongly agree',
    });
    expect(Object.keys(annotations)).not.toContain('Duration (seconds)');
    expect(document?.text).toContain('Do you have anything to add?\nThe signs');
    expect(document?.text).not.toContain('Monday');
    expect(document?.text).not.toContain('after two years');
  });
});

it('is a form of few questions without a question about its answers', async () => {
  const few = [
    'Response ID',
    'Submitted at',
    'Did you see the keynote?',
    'Which days did you come?',
  ];
  const open = ['What did you like most?', 'What did you like least?'];
  const form = Object.entries(FORM).filter(([name]) => [...few, ...open].includes(name));
  const { questions } = await guessed(written(Object.fromEntries(form)));
  expect(questions.filter(({ field }) => field === 'text')).toEqual([]);
});
