/** Reviews that were deleted, lack consent to be published or are unfinished are asked about. */
import { describe, expect, it } from 'vitest';
import { guessMapping } from '../../src/index.js';
import { editMapping, type MappingChange } from '../../src/mapping/load/edit-mapping.js';
import { newFolder, put } from '../helpers/files.js';
import { documentsMade } from './documents-made.js';

const TEXTS = [
  'The room was quiet and the bed was soft',
  'Breakfast was cold, twice, and nobody cared',
  'We will come back in spring for the garden',
  'The lift did not work for three days',
  'A friendly team that remembered our names',
  'Too expensive for what you get, sadly',
];

/** An export of six reviews with a further column. */
function exportWith(name: string, values: readonly unknown[]): string {
  const rows = TEXTS.map((text, n) => `${n + 101},"${text}",${1 + (n % 5)},"${values[n] ?? ''}"`);
  return put(newFolder(), 'reviews.csv', `id,review,rating,"${name}"\n${rows.join('\n')}\n`);
}

async function questionsAbout(name: string, values: readonly unknown[]) {
  const input = exportWith(name, values);
  const { questions, mapping } = await guessMapping({ input, ready: false });
  return { input, mapping, asked: questions.filter(({ ask }) => ask.includes(`"${name}"`)) };
}

describe('a guess asks about reviews that are not shown', () => {
  it.each([
    ['Status', ['ok', 'ok', 'gelöscht', 'ok', 'ok', 'gelöscht'], ['gelöscht']],
    ['moderation_status', ['APPROVED', 'PENDING_APPROVAL', 'APPROVED'], ['PENDING_APPROVAL']],
    ['상태', ['게시', '숨김', '게시', '게시', '게시', '게시'], ['숨김']],
    ['approved', ['yes', 'yes', 'no', 'yes', 'yes', 'yes'], ['no']],
    ['May we publish your comments? (consent)', ['Yes', 'No', 'Yes', 'Yes'], ['No']],
    ['May we publish your answer?', ['Yes', 'No', 'Yes', 'Yes'], ['No']],
    ['Darf Ihre Antwort veröffentlicht werden?', ['Ja', 'Nein', 'Ja', 'Ja'], ['Nein']],
    ['Dürfen wir Ihren Kommentar veröffentlichen?', ['Ja', 'Ja, anonym', 'Nein'], ['Nein']],
    ['Können wir Sie zitieren?', ['Ja', 'Nein', 'Ja, aber anonym'], ['Nein']],
    ['Permission to use your quote', ['Yes', 'No', 'Yes'], ['No']],
    ['consent', [1, 0, 1, 1, 1, 1], ['0']],
    ['Finished', ['True', 'False', 'True', 'True', 'True', 'True'], ['False']],
  ])('in %s: %j', async (name, values, withdrawn) => {
    const { asked } = await questionsAbout(name, values);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.answers).toEqual([
      {
        label: 'Leave them out',
        changes: [{ path: ['skip', '-'], value: { from: name, in: withdrawn } }],
      },
    ]);
  });

  it.each([
    ['Status', ['published', 'approved', 'published', 'ok']],
    ['Status', TEXTS.map(() => 'pending')],
    ['Can you recommend us?', ['Yes', 'No', 'No', 'Yes']],
    ['Reviewer status', ['gold', 'deleted', 'platinum', 'gold']],
    ['Reply status', ['pending', 'published', 'pending', 'published']],
    ['Traveller status', ['gold', 'platinum', 'gold', 'blocked']],
    ['May we publish your name?', ['yes', 'no', 'no', 'yes', 'no', 'yes']],
    ['Consent to e-mail marketing', ['yes', 'no', 'no', 'yes', 'no', 'yes']],
    ['consents', [3, 0, 1, 2, 7, 4]],
  ])('but not in %s: %j', async (name, values) => {
    const { asked } = await questionsAbout(name, values);
    expect(asked).toEqual([]);
  });

  it('and leaves them out with the answer only', async () => {
    const { input, mapping, asked } = await questionsAbout('Status', ['spam', 'ok', 'spam']);
    const imported = async (text: string): Promise<number> =>
      (await documentsMade(input, text)).filter((document) => document !== null).length;
    const changes: readonly MappingChange[] = asked[0]?.answers[0]?.changes ?? [];
    expect(await imported(mapping)).toBe(6);
    expect(await imported(changes.reduce(editMapping, mapping))).toBe(4);
  });
});

describe('a guess leaves out the names of people who consent to be shown only without', () => {
  const NAMES = ['Ann Bell', 'Tom Short', 'Li Wei', 'Marco Neri', 'Eva Klein', 'Ida Lund'];
  const asked = async (name: string, values: readonly string[]) => {
    const rows = TEXTS.map(
      (text, n) => `${NAMES[n]},"${text}",${1 + (n % 5)},"${values[n % values.length]}"`,
    );
    const content = `name,review,rating,"${name}"\n${rows.join('\n')}\n`;
    const input = put(newFolder(), 'reviews.csv', content);
    const { questions, mapping } = await guessMapping({ input, ready: false });
    const question = questions.find(({ ask }) => /name is left out/.test(ask));
    const changes: readonly MappingChange[] = question?.answers[0]?.changes ?? [];
    const namesIn = async (text: string) =>
      (await documentsMade(input, text)).map((document) => document?.author?.username);
    const edited = await namesIn(changes.reduce(editMapping, mapping));
    return { names: await namesIn(mapping), edited };
  };

  it.each([
    ['May we publish your review?', ['Yes', 'Yes, but without my name']],
    ['Consent', ['', 'Yes, anonymously', 'No']],
    ['Permission to use your quote', ['Yes', 'Yes (initials only)']],
    ['Dürfen wir Sie zitieren?', ['Ja', 'Ja, ohne meinen Namen', 'Nein']],
    ['¿Podemos publicar su opinión?', ['Sí', 'Sí, pero sin mi nombre', 'No']],
    ['Pouvons-nous citer votre avis ?', ['Oui', 'Oui, de façon anonyme', 'Non']],
    ['Possiamo pubblicare la recensione?', ['Sì', 'Sì, ma senza il mio nome', 'No']],
    ['Mogen we uw reactie publiceren?', ['Ja', 'Ja, maar niet met mijn naam']],
    ['Czy zgadza się Pan na publikację?', ['Tak', 'Tak, bez mojego imienia', 'Nie']],
    ['Podemos publicar o comentário?', ['Sim', 'Sim, de forma anónima', 'Não']],
    ['掲載同意', ['はい', 'はい（匿名）', 'いいえ']],
    ['May we publish your name?', ['Yes', 'No']],
  ])('in %s: %j', async (name, values) => {
    const { names, edited } = await asked(name, values);
    expect(names).toEqual(NAMES.map((one, n) => (n % values.length === 1 ? undefined : one)));
    expect(edited).toEqual(NAMES);
  });

  it('where either of two questions is answered so, and where an answer is new', async () => {
    const header = 'name,review,rating,May we quote you?,May we publish your name?\n';
    const quotes = ['Yes', '"Yes, but anonymously"', 'Yes'];
    const rows = TEXTS.map(
      (text, n) =>
        `${NAMES[n]},"${text}",${1 + (n % 5)},${quotes[n % 3]},${n % 3 === 2 ? 'No' : 'Yes'}\n`,
    );
    const namesIn = async (content: string, mapping: string) => {
      const input = put(newFolder(), 'reviews.csv', header + content);
      return (await documentsMade(input, mapping)).map((document) => document?.author?.username);
    };
    const input = put(newFolder(), 'reviews.csv', header + rows.join(''));
    const { mapping } = await guessMapping({ input, ready: false });
    expect(await namesIn(rows.join(''), mapping)).toEqual(
      NAMES.map((one, n) => (n % 3 === 0 ? one : undefined)),
    );
    const later = `Zoe Hill,"${TEXTS[0]}",5,Only my initials,Yes\nMax Frey,"${TEXTS[1]}",5,,Yes\n`;
    expect(await namesIn(later, mapping)).toEqual([undefined, 'Max Frey']);
  });

  it('but not those who say nothing of it', async () => {
    const { names } = await asked('Stayed', ['alone', 'with family']);
    expect(names).toEqual(NAMES);
  });
});
