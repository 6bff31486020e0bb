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
