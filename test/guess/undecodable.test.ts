import { describe, expect, it } from 'vitest';
import { guessMapping, previewDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';

const BROKEN = [3, 7, 20];
const ADJECTIVES = ['très propre', 'assez calme', 'un peu bruyante', 'spacieuse', 'défraîchie'];

/** Reviews of which some records hold a byte that is no UTF-8 in one column. */
function reviews(broken: 'Auteur' | 'Avis'): Buffer {
  const rows = Array.from({ length: 40 }, (_, n) => {
    const cell = (name: string, text: string): Buffer =>
      Buffer.concat([
        Buffer.from(text),
        Buffer.from(name === broken && BROKEN.includes(n) ? [0xc3] : []),
      ]);
    const text = `La chambre était ${ADJECTIVES[n % 5]}, et l’accueil n° ${n * 37} nous a beaucoup plu.`;
    return Buffer.concat([
      Buffer.from(`rv-${1000 + n * 7},"`),
      cell('Auteur', `Zoé ${'ABCDEFGH'[n % 8]}`),
      Buffer.from(`",${1 + (n % 5)},2024-0${1 + (n % 9)}-11,"`),
      cell('Avis', text),
      Buffer.from('"\n'),
    ]);
  });
  return Buffer.concat([Buffer.from('ID avis,Auteur,Note,Date avis,Avis\n'), ...rows]);
}

async function documents(bytes: Buffer, mapping: object) {
  const made = [];
  for await (const { document, problems } of previewDocuments({ input: [bytes], mapping })) {
    made.push({ author: document?.author?.username, text: document?.text, problems });
  }
  return made;
}

describe('a guess at a file with bytes that can not be decoded', () => {
  it('keeps every record whole but for a column that it can do without, and counts those bytes', async () => {
    const bytes = reviews('Auteur');
    const guess = await guessMapping({ input: [bytes] });
    expect(guess.notices.join()).toMatch(
      /^Bytes of "Auteur" can't be decoded in 3 of 40 records; the first is 0xC3 at byte \d+, record 4\.$/,
    );
    expect(guess.mapping.replaceAll('\n# ', ' ')).toContain(guess.notices[0]);
    expect(guess.records).toMatchObject({ read: 40, valid: 40 });
    const made = await documents(bytes, parseMapping(guess.mapping, 'guess.yaml'));
    expect(made.flatMap(({ author }, n) => (author === undefined ? [n] : []))).toEqual(BROKEN);
    expect(made[0]).toMatchObject({ author: 'Zoé A', problems: [] });
    expect(made[3]?.text).toMatch(/^La chambre était .* n° 111 nous a beaucoup plu\.$/);
  });

  it('marks a column that it needs, of which the records are invalid', async () => {
    const guess = await guessMapping({ input: [reviews('Avis')] });
    expect(guess.records).toMatchObject({ read: 40, valid: 37, invalid: 3 });
    const text = guess.fields.find(({ field }) => field === 'text');
    expect(text).toMatchObject({ confidence: 'low' });
    expect(text?.todo).toMatch(/3 of 40 records can't be read: column "Avis": 0xC3 at byte \d+/);
  });
});
