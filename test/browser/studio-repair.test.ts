/** A mapping of an earlier export, and edits in quick succession, as a browser shows them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from './browser.js';
import {
  choiceIn,
  documentField,
  editor,
  findingsIn,
  isProposed,
  openField,
  openStudioPage,
  openText,
} from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const text = (page: Page) => editor(page).inputValue();
const strip = (page: Page) => page.getByRole('region', { name: 'The sample with this mapping' });

const REVIEWS = {
  name: 'r.csv',
  content: [
    'Id,Date,Title,Good points,Bad points,Public,Done',
    ...Array.from(
      { length: 12 },
      (_, n) =>
        `r${n}x,2025-03-${n + 10},So ${n},The view was lovely on day ${n},The lift was poor on day ${n},${n % 3 ? 'Yes' : 'No'},${n % 4 ? 'True' : 'False'}`,
    ),
  ].join('\n'),
};

/** Names a column in three places that the file calls "Good points". */
const OF_LAST_MONTH = `name: October
profile: minimal
document:
  sourceId: { hash: ["{Id}", "{Liked}"] }
  # "Liked" and the others
  text: { join: ["{Title}", "{Liked}", "{Bad points}"], with: "\\n" }
  published: { from: Date, date: yyyy-MM-dd }

skip:
  - { from: [Title, Liked], blank: true }
`;

describe('a mapping that names a column which is gone', () => {
  it('shows the records, and replaces the column everywhere in one step', async () => {
    const { page, wrong } = await openStudioPage(browser, REVIEWS, { mapping: OF_LAST_MONTH });
    const record = page.getByRole('table', { name: 'The record’s columns' });
    await record.getByText('The view was lovely on day 0').waitFor();
    await page.getByRole('button', { name: 'Next record' }).click();
    await record.getByText('The view was lovely on day 1').waitFor();
    await page.getByText('Column Liked is gone').waitFor();
    expect(await findingsIn(page)).toEqual([]);
    await openText(page);
    await page.getByRole('button', { name: 'Replace Liked' }).click();
    await choiceIn(page, 'Good points').click();
    await strip(page).getByText('12 valid').waitFor();
    expect(await text(page)).toBe(OF_LAST_MONTH.replaceAll('Liked', 'Good points'));
    await page.getByText('is gone').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await expect.poll(() => text(page)).toBe(OF_LAST_MONTH);
    expect(wrong).toEqual([]);
  });
});

describe('the map screen', () => {
  it('reads dates anew once a zone is set, takes another name, and knows each column it uses', async () => {
    const content = [
      'Id,When,Review [en]',
      ...Array.from({ length: 12 }, (_, n) => `r${n}x,${n + 13}.07.2025 00:30,It was fine on ${n}`),
    ].join('\n');
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    expect(await page.getByText('columns unused').count()).toBe(0);
    const name = page.getByLabel('Name of the mapping');
    await name.fill('Hotel');
    await name.blur();
    await openText(page);
    await expect.poll(() => text(page), { timeout: 5000 }).toMatch(/^name: Hotel$/m);
    await openField(page, 'published');
    const read = page.getByRole('group', { name: 'Read as' });
    await read.getByText('2025-07-13T00:30:00').first().waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Time zone').blur();
    await read.getByText('2025-07-12T22:30:00').first().waitFor();
  });
});

const FAULTY = {
  name: 'r.csv',
  content: [
    'Id,Date,Review,Score,Mood',
    ...Array.from({ length: 20 }, (_, n) => {
      const day = n === 3 ? '31.02.2025' : `${n + 10}.03.2025`;
      const score = n % 6 === 1 ? 'seven' : n === 4 ? 'n/a' : n % 10;
      return `r${n}x,${day},It was fine on day ${n},${score},${n === 5 ? 'meh' : 'good'}`;
    }),
  ].join('\n'),
};

const WITH_FAULTS = `name: Faulty
profile: minimal
document:
  sourceId: "{Id}"
  text: "{Review}"
  sentiment: { from: Mood, values: { good: B }, unlisted: invalid }
  published: { from: Date, date: dd.MM.yyyy }
  metrics: { score: { from: Score, number: ".", scale: { from: [0, 10], to: [1, 5] } } }
`;

describe('a value that can’t be read', () => {
  it('is read as another, left out or left empty where it is seen, and says before in how many records', async () => {
    const { page, wrong } = await openStudioPage(browser, FAULTY, { mapping: WITH_FAULTS });
    const effect = page.getByRole('region', { name: 'Effect' });
    const unread = effect.getByRole('list', { name: 'Values that can’t be read' });
    await strip(page).getByRole('link', { name: '7 invalid' }).waitFor();
    await openText(page);
    await page.getByRole('button', { name: 'Next record' }).click();
    await page.getByRole('button', { name: 'Fix Rating' }).click();
    await unread.getByText('seven in 4 records').waitFor();
    expect(await findingsIn(page)).toEqual([]);

    await unread.getByLabel('Read seven as').pressSequentially('7');
    await effect.getByText('19 of 20 filled, 1 can’t be read').waitFor();
    expect(await text(page)).toBe(WITH_FAULTS);
    await unread.getByLabel('Read seven as').press('Enter');
    await strip(page).getByRole('link', { name: '3 invalid' }).waitFor();
    await expect.poll(() => text(page)).toContain('replace: { "^seven$": "7" }');
    await documentField(page, 'metrics.score').getByText('3.8').waitFor();

    await unread.getByText('n/a in 1 record').waitFor();
    await effect.getByRole('button', { name: 'Leave the field empty in 1 record' }).click();
    await strip(page).getByRole('link', { name: '2 invalid' }).waitFor();
    await expect.poll(() => text(page)).toContain('else: "", onError: else');

    await page.getByRole('button', { name: '← All fields' }).click();
    await openField(page, 'published');
    await unread.getByText('31.02.2025 in 1 record').waitFor();
    await unread.getByRole('button', { name: 'Leave out 1 record with 31.02.2025' }).click();
    await strip(page).getByRole('link', { name: '1 invalid' }).waitFor();
    await expect.poll(() => text(page)).toContain('{ from: Date, in: ["31.02.2025"] }');

    await page.getByRole('button', { name: '← All fields' }).click();
    await openField(page, 'sentiment');
    await unread.getByLabel('Read meh as').fill('N');
    await unread.getByLabel('Read meh as').blur();
    await expect.poll(() => text(page)).toContain('values: { good: B, meh: N }');
    await strip(page).getByRole('link', { name: '0 invalid' }).waitFor();
    await effect.getByText('19 of 19 filled').waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('the command for the import', () => {
  it('takes the day that relative dates count back from', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `Guest ${n},${n + 2} weeks ago,Fine ${n}`);
    const content = ['Author,Posted,Review', ...rows].join('\n');
    const mapping = `name: Ago
profile: minimal
document:
  sourceId: { hash: ["{Author}", "{Review}"] }
  text: "{Review}"
  published: { from: Posted, date: relative, asOf: if-stated }
`;
    const { page } = await openStudioPage(browser, { name: 'r.csv', content }, { mapping });
    await isProposed(page);
    await page.getByRole('link', { name: 'Check' }).click();
    await page.getByLabel('Id of the monitoring').fill('7');
    const command = page.locator('.command').first();
    await command.getByText('--as-of').waitFor();
    expect(await command.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(true);
    await page.getByLabel('Day of the export').fill('2025-11-29');
    await expect.poll(() => command.innerText()).toMatch(/--monitoring 7 --as-of 2025-11-29/);
    expect(await command.getByRole('button', { name: 'Copy' }).isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Rehearse the import' }).click();
    await page.getByText('The sandbox accepted 12 of 12 records.').waitFor();
    const isOld = page.getByText('The day of the export has changed since. Run it again.');
    expect(await isOld.count()).toBe(0);
    await page.getByLabel('Day of the export').fill('2025-11-30');
    await isOld.waitFor();
    await page.getByLabel('Day of the export').fill('2025-11-29');
    await isOld.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Map' }).click();
    await documentField(page, 'published').getByText('2025-11-15').waitFor();
    await openField(page, 'published');
    await page.getByRole('radio', { name: 'counted back from 2025-11-29' }).waitFor();
    await page.getByRole('region', { name: 'Effect' }).getByText('12 of 12 filled').waitFor();
    expect(await page.getByLabel('Day of the export').inputValue()).toBe('2025-11-29');
    expect(await page.locator('header').getByText('saved', { exact: true }).count()).toBe(1);
  });
});
