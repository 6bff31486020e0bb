/** No id that docferry makes or offers is of what another export of the same reviews has otherwise. */

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { editMapping, guessMapping, previewDocuments } from '../../src/index.js';
import { collect } from '../helpers/collect.js';
import { newFolder, put } from '../helpers/files.js';
import { sample } from '../helpers/runs.js';
import { openStudio } from '../studio/open-studio.js';

/** Reviews in a few words, so that guests have said the same before. */
const SAID = ['Great stay.', 'Very poor.', 'It was fine.', 'We will come back.', 'Too loud.'];
const RECORDS = 80;

interface Export {
  /** Text, stars, author, date. */
  readonly lasting: readonly [string, string, string, string];
  readonly branch: string;
  /** Of the export, counted on, edited and answered later; names by the order of `changing`. */
  readonly changing: readonly string[];
}

/** Numbers and dates whose names don't show that they change: they are offered by no edit, and taken if asked for. */
const UNNAMED: ReadonlySet<string> = new Set([
  ...['Views', 'Gefällt mir', 'Aufrufe', 'Posición', 'Me gusta', 'Visitas', 'Última edición'],
  ...['J’aime', 'Vues'],
]);

const EXPORTS: Readonly<Record<string, Export>> = {
  English: {
    lasting: ['Comment', 'Stars', 'Author', 'Date'],
    branch: 'Branch',
    changing: [
      ...['Scraped at', 'Row', 'Page', 'Position', 'Likes', 'Helpful votes', 'Views'],
      ...['Owner reply', 'Reply date', 'Last edited', 'Edited', 'When'],
    ],
  },
  German: {
    lasting: ['Kommentar', 'Sterne', 'Autor', 'Datum'],
    branch: 'Filiale',
    changing: [
      ...['Abgerufen am', 'Zeile', 'Seite', 'Position', 'Gefällt mir', 'Hilfreich', 'Aufrufe'],
      ...['Antwort des Inhabers', 'Antwortdatum', 'Bearbeitet am', 'Bearbeitet', 'Wann'],
    ],
  },
};

/** The same reviews, as read `days` later: further ones stand before them. */
function csv({ lasting, branch, changing }: Export, days: number): string {
  const day = (n: number): string => String((n % 28) + 1).padStart(2, '0');
  const rows = Array.from({ length: RECORDS }, (_, n) => {
    const who = ['Ann', 'Bob', 'Cid'][n % 3];
    const kept = [SAID[n % 5], n % 5 ? 4 : 1, who, `2024-03-${day(n % 6)}`];
    const at = n + days * 3;
    const ofExport = [
      `2024-06-${day(days)} 10:${10 + (n % 50)}:00`,
      at + 1,
      Math.floor(at / 20),
      at % 20,
    ];
    const counted = [(n * 7 + days) % 13, (n * 5 + days) % 11, n * 37 + days * 10];
    const reply =
      n % 2 ? [`Thank you, dear ${who}, visit ${days}.`, `2024-05-${day(n + days)}`] : ['', ''];
    const edited = [`2024-05-${day(n * 3 + days)} 11:00:00`, (n + days) % 2 ? 'true' : 'false'];
    const ago = `${(n % 6) + 2 + days} days ago`;
    return [
      ...kept,
      ['North', 'South', 'East', 'West'][n % 4],
      ...ofExport,
      ...counted,
      ...reply,
      ...edited,
      ago,
    ];
  });
  const lines = [[...lasting, branch, ...changing], ...rows];
  return `${lines.map((row) => row.join(';')).join('\n')}\n`;
}

async function idsOf(input: string, mapping: string): Promise<readonly unknown[]> {
  return (await collect(previewDocuments({ input, mapping }))).map(
    ({ document }) => document?.sourceId,
  );
}

describe.each(sample(Object.entries(EXPORTS), 2))('an id of columns with names in %s', (_, one) => {
  it('is the same in a later export, as guessed and by each edit that is offered', async () => {
    const folder = newFolder();
    const first = put(folder, 'first.csv', csv(one, 0));
    const later = put(folder, 'later.csv', csv(one, 5));
    const { mapping, questions } = await guessMapping({ input: first });
    const texts = questions.flatMap(({ answers }) =>
      answers.map(({ changes }) =>
        changes.reduce(
          (text, { path: place, value }) => editMapping(text, { path: place, value }),
          mapping,
        ),
      ),
    );
    for (const [n, text] of [mapping, ...texts].entries()) {
      const file = put(
        folder,
        `m${n}.yaml`,
        text.replace(/^profile: .*\n/m, '').replace(/^name:/m, 'profile: minimal\nname:'),
      );
      expect(text).toMatch(/sourceId: \{ hash: /);
      const ids = await idsOf(first, file);
      expect(ids.filter((id) => id !== undefined).length).toBeGreaterThan(RECORDS / 4);
      expect(await idsOf(later, file), path.basename(file)).toEqual(ids);
    }
  });

  it('is not made of others in the studio', async () => {
    const { ask } = await openStudio(csv(one, 0));
    const post = async (place: string, body: object) =>
      (await ask(place, { method: 'POST', body })).json;
    const text = (await post('/api/guess', {})).guess.mapping;
    const [comment] = one.lasting;
    const propose = async (...columns: string[]) =>
      await post('/api/propose', { text, path: ['document', 'sourceId'], columns });
    expect(await propose(comment, one.branch)).toMatchObject({ rule: { hash: [{}, {}] } });
    for (const name of one.changing.filter((changing) => !UNNAMED.has(changing))) {
      const { rule, refusal } = await propose(comment, name);
      expect({ name, rule }).toEqual({ name, rule: null });
      expect(refusal).toContain('the next export would be imported again');
    }
  });
});
