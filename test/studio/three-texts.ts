const words =
  'we came late and the door was shut but someone let us in kindly although rain had soaked every bag so dinner felt warm then music began outside while children slept upstairs without noise because walls are thick'.split(
    ' ',
  );
const said = (n: number, step: number): string =>
  `${Array.from({ length: 12 }, (_, at) => words[(n * 7 + at * step + ((n * at) % 5)) % words.length]).join(' ')}.`;
const rows = Array.from(
  { length: 60 },
  (_, n) => `${said(n, 3)};${said(n + 3, 5)};${said(n + 9, 7)};${(n % 5) + 1}`,
);
/** An export whose text may have three parts: a guess asks about two. */
export const THREE_TEXTS: string = ['Review;Zeta;Omega;Stars', ...rows].join('\n');
