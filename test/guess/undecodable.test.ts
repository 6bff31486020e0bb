import { describe, expect, it } from 'vitest';
import { guessMapping, validateDocuments } from '../../src/index.js';
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

describe('a guess at a file with bytes that are not UTF-8', () => {
  it.each(['Auteur', 'Avis'] as const)(
    'counts the records and those that are invalid for them, and names the first: %s',
    async (column) => {
      const bytes = reviews(column);
      const guess = await guessMapping({ input: [bytes] });
      expect(guess.notices.join()).toMatch(
        /^3 records of 40 hold bytes that are not UTF-8\. The first is 0xC3 at byte \d+, in record 4\./,
      );
      expect(guess.mapping.replaceAll('\n# ', ' ')).toContain(guess.notices[0]);
      expect(guess.records).toMatchObject({ read: 40, valid: 37, invalid: 3 });
      const mapping = parseMapping(guess.mapping, 'guess.yaml');
      const report = await validateDocuments({ input: [bytes], mapping, throwOn: 'never' });
      expect(report.counts).toMatchObject({ unsent: 37, invalid: 3 });
    },
  );
});
