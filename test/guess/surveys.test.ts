/** Exports of forms with many questions. */
import { describe, expect, it } from 'vitest';
import { guessText } from '../../src/cli/output/guess-text.js';
import { commentParts } from '../../src/guess/write-mapping.js';
import { type Guess, guessMapping } from '../../src/index.js';
import { displayWidth } from '../../src/model/terminal.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';

const RESPONSES = 60;

type Answer = (n: number) => string;

const choice =
  (...options: readonly string[]): Answer =>
  (n) =>
    options[(n * 7 + (n >> 2)) % options.length] ?? '';
const several =
  (mark: string, ...options: readonly string[]): Answer =>
  (n) =>
    options.filter((_, at) => (n + at * at) % 3 === 0).join(mark);

const THINGS = [
  'The signs',
  'Our room',
  'The queue',
  'My mentor',
  'The lunch',
  'The app',
  'A talk',
];
const VERBS = ['pleased', 'annoyed', 'surprised', 'confused', 'helped'];
const PEOPLE = ['everybody at our table', 'me', 'the whole team', 'those who came late'];
const opinion =
  (topic: string): Answer =>
  (n) =>
    n % 5 === 4
      ? ''
      : `${THINGS[n % 7]} ${VERBS[(n >> 1) % 5]} ${PEOPLE[n % 4]} when it came to ${topic} ${n}.`;

const CONSENT = 'We delete what you write here after two years. '.repeat(250);
const AGREEMENT = ['Strongly agree', 'Agree', 'Disagree', 'Strongly disagree'];

/** 45 columns: 9 that the tool adds, 11 open questions, 25 closed ones. */
const FORM: Readonly<Record<string, Answer>> = {
  'Response ID': (n) => `R-${1000 + n * 3}`,
  'Submitted at': (n) => `2024-0${1 + (n % 9)}-2${n % 8} 10:00:00`,
  'Started at': (n) => `2024-0${1 + (n % 9)}-2${n % 8} 09:50:00`,
  'Duration (seconds)': (n) => String(100 + n * 13),
  Progress: () => '100',
  Channel: choice('web', 'mail'),
  'Device type': choice('phone', 'laptop'),
  City: choice('Leeds', 'Cardiff', 'York'),
  Country: choice('Ireland', 'France'),
  'Overall, how would you rate the event?': choice('1', '2', '3', '4', '5'),
  'Which days did you come?': several('; ', 'Monday 3 June', 'Tuesday 4 June', 'Friday 7 June'),
  'Which sessions did you attend?': several(', ', 'Hiring people', 'Open space', 'Good forms'),
  'How many of our events have you seen?': choice('1', '2', '3', '7'),
  'Did you see the keynote?': choice('Yes', 'No'),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `How satisfied were you with part ${at} of the programme that we sent you?`,
      choice('Very satisfied', 'Somewhat satisfied', 'Not at all satisfied'),
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `The speakers of day ${at} were good`,
      choice(...AGREEMENT),
    ]),
  ),
  'Why did you give this score?': opinion('the score'),
  'What did you like most?': opinion('what was good'),
  'What did you like least?': opinion('what was bad'),
  'What should we stop doing?': opinion('what to stop'),
  'What should we start doing?': opinion('what to start'),
  'What would you tell a colleague?': opinion('what to tell'),
  'Which problems did the app have?': opinion('problems'),
  'How was the way to the venue?': opinion('the way'),
  'Any wishes for next year?': opinion('wishes'),
  'Describe a moment that you will remember': opinion('moments'),
  [`${CONSENT}Do you have anything to add?`]: opinion('the rest'),
};

function csv(form: Readonly<Record<string, Answer>>): string {
  const rows = Array.from({ length: RESPONSES }, (_, n) =>
    Object.values(form).map((answer) => answer(n)),
  );
  const lines = [Object.keys(form), ...rows].map((cells) =>
    cells.map((text) => `"${text}"`).join(','),
  );
  return `${lines.join('\n')}\n`;
}

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
