/** Columns that say the same in two languages. */
import { describe, expect, it } from 'vitest';
import { type Cells, guessed, STAYS } from './guessed.js';

const SPANISH = [
  'Tuvimos una habitación tranquila con vista al huerto',
  'La calefacción falló la segunda noche y nadie vino',
  'A nuestros hijos les encantó el estanque y los burros',
  'Sopa, pan y queso eran todos del pueblo vecino',
  'Las paredes son finas y el bar hace ruido hasta las dos',
  'Un anfitrión amable que nos prestó botas para el pantano',
  'La cama era corta y la ducha salía fría',
  'Prolongamos la estancia dos veces con pena',
  'El aparcamiento cuesta más que el desayuno',
  'Baño impecable, toallas suaves y café fuerte',
];
const stars: Cells = { stars: ['1', '2', '3', '4', '5'] };

describe('a translation', () => {
  it.each([
    ['body', 'body_en'],
    ['originalText', 'text'],
    ['本文', '本文（英訳）'],
    ['pros', 'pros_en'],
  ])('of %s is no part of the text but a question: %s', async (original, translated) => {
    for (const cells of [
      { [original]: SPANISH, [translated]: STAYS },
      { [translated]: STAYS, [original]: SPANISH },
    ]) {
      const { guess, documents, asks } = await guessed({ ...stars, ...cells });
      expect(documents[1]?.text).toBe(SPANISH[1]);
      expect(asks('text')).toContain(`"${translated}" says the same in another language`);
      const question = guess.questions.find(({ ask }) => ask.includes('another language'));
      expect(question?.answers[0]?.changes[0]).toEqual({
        path: ['document', 'text'],
        value: `{${translated}}`,
      });
    }
  });

  it('is not seen where each record has one of them', async () => {
    const either = await guessed({
      ...stars,
      comment: (n) => (n % 2 ? '' : (SPANISH[n] ?? '')),
      comment_en: (n) => (n % 2 ? (STAYS[n] ?? '') : ''),
    });
    expect(either.documents.slice(0, 2).map(({ text }) => text)).toEqual([SPANISH[0], STAYS[1]]);
  });
});
