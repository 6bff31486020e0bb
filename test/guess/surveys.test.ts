/** Exports of forms with many questions. */
import { describe, expect, it } from 'vitest';
import { guessText } from '../../src/cli/output/guess-text.js';
import { type Guess, guessMapping } from '../../src/index.js';
import { displayWidth } from '../../src/model/terminal.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';
import { csv, FORM } from './survey-form.js';

const written = (form = FORM): string => put(newFolder(), 'event.csv', csv(form));

/** Of the whole form, for all tests: it takes a while. */
let whole: Promise<Guess> | undefined;

function guessed(): Promise<Guess> {
  whole ??= guessMapping({ input: written() });
  return whole;
}

/** The comment lines of a mapping. */
const comments = (mapping: string): readonly string[] =>
  mapping.split('\n').filter((line) => line.trim().startsWith('#'));

describe('a guess of a form with 45 questions', () => {
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

  it('makes annotations of closed questions, and texts of the open ones', async () => {
    const { mapping } = await guessed();
    const [document] = await documentsMade(written(), mapping);
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
  const few = ['Submitted at', 'Did you see the keynote?', 'What did you like most?'];
  const form = Object.fromEntries(few.map((name) => [name, FORM[name]!]));
  const { questions } = await guessMapping({ input: written(form) });
  expect(questions.filter(({ field }) => field === 'text')).toEqual([]);
});
