/** The map screen and saving as a browser shows them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { startBrowser } from './browser.js';
import {
  choiceIn,
  chooseColumn,
  documentField,
  editor,
  findingsIn,
  holdAnswers,
  isProposed,
  openField,
  openStudioPage,
  openText,
  overflowAt,
} from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');
/** The editor and the server take turns. */
const SOON = { timeout: 5000 };
const header = (page: Page) => page.locator('header');
const text = (page: Page) => editor(page).inputValue();

describe('the map screen', () => {
  it('has nothing that axe finds, and needs no scrolling sideways', async () => {
    const { page, wrong } = await openStudioPage(browser, SAMPLE);
    const isNarrowEnough = async (shown: string): Promise<void> => {
      for (const width of [320, 1280]) {
        expect(await overflowAt(page, width), `${shown} at ${width} pixels`).toBe(0);
      }
    };
    await isProposed(page);
    await isNarrowEnough('the list');
    await page.getByRole('button', { name: 'Status', exact: true }).click();
    expect(await findingsIn(page), 'the list').toEqual([]);
    for (const field of ['text', 'sentiment']) {
      await openField(page, field);
      await page.getByRole('region', { name: 'Effect' }).getByRole('table').waitFor();
      await isNarrowEnough(field);
      await page.locator('.chosen .choice-button').first().click();
      expect(await findingsIn(page), field).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: '← All fields' }).click();
    }
    await openText(page);
    expect(await findingsIn(page), 'the text').toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('leads to the first record without a field, and with a problem', async () => {
    const content =
      'id;text;likes\nr1;Good food and wine;1\nr2;A bad bed and noise;x\nr3;Nice garden and pool;\n';
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await openText(page);
    await editor(page).fill(
      'profile: minimal\ndocument:\n  sourceId: "{id}"\n  text: "{text}"\n  metrics: { likes: { from: likes, number: "." } }\n',
    );
    await page.getByRole('button', { name: '1 problem' }).click();
    await page.getByText('2 of 3').waitFor();
    await page.getByRole('button', { name: '33% filled' }).click();
    await page.getByText('3 of 3').waitFor();
    const strip = page.getByRole('region', { name: 'The sample with this mapping' });
    await strip.getByText('+1 invalid').waitFor();
    await strip.getByRole('link', { name: '1 invalid' }).click();
    await page.getByRole('region', { name: 'Records' }).waitFor();
  });
});

describe('an edit', () => {
  it('of the text is shown in the fields and the document, and the other way round', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await openText(page);
    await editor(page).fill((await text(page)).replace(/language: .*/, 'language: { value: xx }'));
    await expect.poll(() => documentField(page, 'language').textContent(), SOON).toBe('xx');
    await chooseColumn(page, 'author.username', 'City');
    await expect.poll(() => text(page)).toContain('username: "{City}"');
    await expect.poll(() => documentField(page, 'author.username').textContent()).toBe('Lugo');
  });

  it('with a mistake names its place, and keeps the last document', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await openText(page);
    const right = await text(page);
    await editor(page).fill(right.replace('text:', 'txet:'));
    await page.locator('#mistakes').getByText('did you mean "text"').waitFor();
    await header(page).getByText('1 wrong').waitFor();
    expect(await documentField(page, 'sourceId').textContent()).toBe('HR-1001');
    await page.locator('#mistakes .error button').click();
    expect(
      await page.evaluate(
        'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
      ),
    ).toBe('txet');
    await editor(page).fill(right);
    await header(page).getByText('1 wrong').waitFor({ state: 'hidden' });
  });

  it('adds a field, takes one out, and undoes what it did', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await openText(page);
    await page.getByRole('button', { name: 'Add a field' }).click();
    await choiceIn(page, 'Id of what it answers').click();
    await page.getByRole('button', { name: 'Choose a column' }).click();
    await choiceIn(page, 'Status').click();
    await expect.poll(() => text(page)).toMatch(/parentSourceId: .*Status/);
    await page.getByRole('button', { name: 'Remove this field' }).click();
    await expect.poll(() => text(page)).not.toContain('parentSourceId:');
    await openField(page, 'published');
    await page.getByRole('button', { name: 'Remove this field' }).click();
    const strip = page.getByRole('region', { name: 'The sample with this mapping' });
    await strip.getByText('−23 with published').waitFor();
    expect(await text(page)).not.toContain('published:');
    await strip.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => text(page)).toContain('published:');
    await strip.getByText(/^Undone\. 2 changes before it\./).waitFor();
  });

  it('is not written if no rule fits, unless one of the formats is chosen', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await openField(page, 'published');
    const rule = page.locator('.field-panel > code');
    const before = await rule.innerText();
    await page.locator('.chosen .choice-button').click();
    await choiceIn(page, 'Guest').click();
    await page.getByText('Nothing was changed').waitFor();
    expect(await rule.innerText()).toBe(before);
    await page.locator('.chosen').getByText('Date', { exact: true }).waitFor();
  });

  it('that answers the question about deleted reviews leaves them out', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const question = page.getByRole('article', { name: 'Open question' });
    await question
      .filter({ hasText: 'Status' })
      .getByRole('button', { name: 'Leave them out' })
      .click();
    await page.getByText('Status is "hidden" or "deleted"', { exact: true }).waitFor();
    const strip = page.getByRole('region', { name: 'The sample with this mapping' });
    await strip.getByText('+2 skipped').waitFor();
  });

  it('that leaves records out says before how many they are', async () => {
    const { page, wrong } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const [, left] =
      /(\d+) skipped/.exec(await page.getByRole('link', { name: 'skipped' }).innerText()) ?? [];
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await choiceIn(page, 'Status').click();
    await page.getByRole('button', { name: 'Choose a value' }).click();
    const choice = page.locator('.choices li').first();
    const [, records] = /leaves out (\d+) record/.exec(await choice.innerText()) ?? [];
    await choice.getByRole('button').click();
    const strip = page.getByRole('region', { name: 'The sample with this mapping' });
    await strip.getByText(`+${records} skipped`).waitFor();
    await strip.getByText(`${Number(left) + Number(records)} skipped`).waitFor();
    await page.getByText(/^Status is /).waitFor();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const used = page.locator('.choices section').filter({ has: page.getByText('Used') });
    await used.getByRole('button', { name: 'Status' }).waitFor();
    expect(wrong).toEqual([]);
  });

  it('of values is counted, and one of comments changes none', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const strip = page.getByRole('region', { name: 'The sample with this mapping' });
    await openField(page, 'metrics.score');
    await page.getByRole('radio').and(page.locator(':checked')).waitFor();
    const before = await documentField(page, 'metrics.score').textContent();
    const figures = strip.locator('[aria-busy="true"]').getByText(/^\d+ valid/);
    expect(await figures.count()).toBe(0);
    const release = await holdAnswers(page, '**/api/evaluate');
    await page.getByLabel('Highest', { exact: true }).fill('20');
    await page.getByLabel('Highest', { exact: true }).blur();
    await expect.poll(() => documentField(page, 'metrics.score').textContent()).not.toBe(before);
    await figures.waitFor();
    await release();
    await strip.getByText(/metrics\.score of \d+ documents changed/).waitFor();
    await figures.waitFor({ state: 'detached' });
    // The proposals come after the figures.
    const checked = page.getByRole('radio').and(page.locator(':checked'));
    await expect.poll(() => checked.count(), { timeout: 10_000 }).toBe(0);
    await openText(page);
    await editor(page).fill(`# mine\n${await text(page)}`);
    await strip.getByText('The documents stay the same.').waitFor();
  });

  it('of a text’s column takes along what follows from it, and says so', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, n) =>
        `Guest ${n};2025-03-${n + 10};${n % 5};It was ${n % 3 ? 'lovely' : 'poor'} there;So ${n}`,
    );
    const content = ['Author;Date;Rating;Review;Title', ...rows].join('\n');
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await openText(page);
    const before = await text(page);
    await openField(page, 'text');
    const column = await page.locator('.chosen .choice-button').first().textContent();
    const other = column === 'Title' ? 'Review' : 'Title';
    await page.locator('.chosen .choice-button').first().click();
    await choiceIn(page, other).click();
    await page.getByText(/^Also changed: .*Language/).waitFor();
    expect(await text(page)).toContain(`skip: [{ from: ${other}, blank: true }]`);
    await page.keyboard.press('Control+z');
    await expect.poll(() => text(page)).toBe(before);
    await page.getByText('Also changed').waitFor({ state: 'hidden' });
  });

  it('closes its panel on Escape, and the focus returns to the field', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await openField(page, 'author.username');
    await page.locator('.chosen .choice-button').click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '← All fields' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a field' }).waitFor();
    const focused = "document.activeElement?.getAttribute('data-open')";
    await expect.poll(() => page.evaluate(focused)).toBe('author.username');
  });
});

describe('saving', () => {
  it('shows what changes, and writes nothing before', async () => {
    const { page, mapping } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByText(/^The file is new, with /).waitFor();
    expect(existsSync(mapping)).toBe(false);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await header(page).getByText('saved', { exact: true }).waitFor();
    await chooseColumn(page, 'author.username', 'City');
    await header(page).getByText('not saved').waitFor();
    await page.keyboard.press('Control+s');
    const difference = page.getByLabel('Differences');
    // The guess's comment goes with the rule that it was for.
    expect(await difference.locator('.removed').allTextContents()).toEqual([
      expect.stringContaining('# '),
      expect.stringContaining('username: "{Guest}"'),
    ]);
    expect(await difference.locator('.added').allTextContents()).toEqual([
      expect.stringContaining('username: "{City}"'),
    ]);
    expect(readFileSync(mapping, 'utf8')).toContain('username: "{Guest}"');
  });

  it('of one tab stops that of the other, which may overwrite or give way', async () => {
    const { page: one, mapping, another } = await openStudioPage(browser, SAMPLE);
    await isProposed(one);
    await openText(one);
    const two = await another();
    await isProposed(two);
    await openText(two);
    await one.bringToFront();
    await one.getByRole('button', { name: 'Save…' }).click();
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await header(one).getByText('saved', { exact: true }).waitFor();
    await two.bringToFront();
    await chooseColumn(two, 'author.username', 'City');
    await expect.poll(() => text(two)).toContain('{City}');
    await two.getByRole('button', { name: 'Save…' }).click();
    await two.getByRole('button', { name: 'Save', exact: true }).click();
    await two.getByText('has changed on the disk').waitFor();
    expect(readFileSync(mapping, 'utf8')).not.toContain('username: "{City}"');
    await two.getByRole('button', { name: 'Overwrite it' }).click();
    await header(two).getByText('saved', { exact: true }).waitFor();
    expect(readFileSync(mapping, 'utf8')).toContain('username: "{City}"');
    await one.bringToFront();
    await chooseColumn(one, 'author.username', 'Country');
    await one.getByRole('button', { name: 'Save…' }).click();
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await one.getByRole('button', { name: 'Take what is on the disk' }).click();
    await expect.poll(() => text(one)).toContain('username: "{City}"');
  });
});
