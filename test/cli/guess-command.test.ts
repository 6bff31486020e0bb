import { beforeEach, describe, expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { docferryEach, docferryOnce } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { zipOf } from '../helpers/zip.js';

const TEXTS =
  'Das Zimmer,Das Bad,Der Flur,Die Bar,Der Saal,Das Bett,Die Küche,Der Garten,Die Sauna,Der Keller,Das Haus,Der Balkon'.split(
    ',',
  );
const REVIEWS = `Kommentar;Note;Datum\n${Array.from(
  { length: 12 },
  (_, n) => `${TEXTS[n]} war sauber und ruhig;${1 + (n % 5)};0${1 + (n % 9)}/05/2024\n`,
).join('')}`;

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
  put(cwd, 'reviews.csv', REVIEWS);
});

describe('docferry guess', () => {
  longTest('leads to documents, and validate says what it could not tell', async () => {
    const lines = [
      ['guess', 'reviews.csv', '-o', 'm.yaml'],
      ['validate', 'reviews.csv', '-m', 'm.yaml'],
      ['import', 'reviews.csv', '-m', 'm.yaml', '--monitoring', '1', '--sandbox'],
    ];
    const [guessed, validated, imported] = await docferryEach(lines, { cwd });
    expect(guessed).toMatchObject({ code: 0, stdout: '' });
    expect(validated).toMatchObject({ code: 0 });
    expect(validated?.stdout).toMatch(
      /m\.yaml leaves \d questions? open: .*“check which number is the\s+day/,
    );
    expect(imported?.stdout).toMatch(/accepted +12/);
  });

  longTest('prints how the file was read, and what was not found or left out', async () => {
    const lines = REVIEWS.trimEnd().split('\n');
    const more = lines.map(
      (line, n) => `${line};${['state', 'pending', 'published'][n && 1 + (n % 2)]}`,
    );
    put(cwd, 'more.csv', `${more.join('\n')}\n`);
    const { stdout, stderr } = await docferryOnce(['guess', 'more.csv'], { cwd });
    const written = stdout.replace(/\n# /g, ' ');
    const missing = /Not found in the file: [^.]+\./.exec(written)?.[0] ?? 'nothing';
    expect(stderr).toContain(missing);
    const left = /Not used: "state"\./.exec(written)?.[0] ?? 'nothing';
    expect(stderr.replace(/\n +/g, ' ')).toContain(left);
    expect(stderr).toMatch(/^metrics\.score +Note +high +1$/m);
    expect(stderr).toMatch(/^3 of 4 columns used; 2 questions\.$/m);
    expect(stderr).toMatch(/^1\. line \d+: "state" is "pending" in 6 of 12 records: /m);
    expect(stderr).toMatch(/^2\. line \d+: check which number is the day: /m);
    expect(stderr).toContain('Read as csv, delimiter ";", utf-8, header in line 1.');
  });

  longTest(
    'names the file of an archive whose layout was guessed for the next command',
    async () => {
      const rooms = `room,floor\n${Array.from({ length: 12 }, (_, n) => `${n},${n % 3}\n`).join('')}`;
      put(cwd, 'all.zip', await zipOf({ 'rooms.csv': rooms, 'reviews.csv': REVIEWS }));
      put(cwd, 'same.zip', await zipOf({ 'a.csv': REVIEWS, 'b.csv': REVIEWS }));
      const lines = [
        ['guess', 'all.zip', '-o', 'm.yaml'],
        ['validate', 'all.zip/reviews.csv', '--mapping', 'm.yaml'],
        ['guess', 'same.zip', '-o', 'same.yaml'],
      ];
      const [guessed, next, same] = await docferryEach(lines, { cwd });
      expect(guessed?.stderr).toContain('Their layouts differ: guess a mapping for each.');
      expect(guessed?.stderr).toMatch(
        /^Next: .*validate all\.zip\/reviews\.csv --mapping m\.yaml$/m,
      );
      expect(next).toMatchObject({ code: 0 });
      expect(same?.stderr).toMatch(/^Next: .*validate same\.zip --mapping/m);
    },
  );
});
