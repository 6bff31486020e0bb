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

/** A form of 45 columns: 9 that the tool adds, 11 open questions, 25 closed ones. */
export const FORM: Readonly<Record<string, Answer>> = {
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

/** A form's export with 60 answers to each question. */
export function csv(form: Readonly<Record<string, Answer>>): string {
  const rows = Array.from({ length: RESPONSES }, (_, n) =>
    Object.values(form).map((answer) => answer(n)),
  );
  const lines = [Object.keys(form), ...rows].map((cells) =>
    cells.map((text) => `"${text}"`).join(','),
  );
  return `${lines.join('\n')}\n`;
}
