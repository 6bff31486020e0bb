/** The mapping studio as a browser shows it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { docferry } from '../helpers/run-cli.js';
import { axeFindings, startBrowser } from './browser.js';
import {
  documentField,
  editor,
  isProposed,
  openStudioPage,
  type StudioPage,
  tabTo,
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
const picker = (page: Page, field: string) =>
  page.getByRole('button', { name: `Where ${field} comes from` });

/** Chooses what a field is made from, by mouse. */
async function choose(page: Page, field: string, choice: string | RegExp): Promise<void> {
  await picker(page, field).click();
  await page.getByRole('option', { name: choice }).first().click();
}
const text = (page: Page) => editor(page).inputValue();

const REAL = [
  ['booking-extranet-export.csv', 'Guest name'],
  ['tripadvisor-fr-semicolon.csv', 'Title'],
  ['google-places-es.json', 'author_name'],
] as const;

describe.runIf(HAS.realData)('from an export that nobody knows to a mapping that is saved', () => {
  it.each(REAL)('by keyboard alone: %s', async (name, column) => {
    const studio = await openStudioPage(browser, path.join(REAL_DATA, name));
    const { page } = studio;
    const keys = page.keyboard;
    await isProposed(page);
    // The first records of one of them are skipped: the page goes on to one that is not.
    await documentField(page, 'text').waitFor();
    const before = await documentField(page, 'text').textContent();
    await tabTo(page, picker(page, 'text'));
    await keys.press('Enter');
    await keys.type(column);
    await keys.press('Enter');
    await documentText(page, (shown) => shown !== before);
    await keys.press('Control+z');
    await documentText(page, (shown) => shown === before);
    await keys.press('Control+y');
    await documentText(page, (shown) => shown !== before);
    await tabTo(page, editor(page));
    await keys.press('Control+Home');
    await keys.type('# Looked at by hand.\n');
    await keys.press('Control+s');
    await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }));
    await keys.press('Enter');
    await header(page).getByText('saved', { exact: true }).waitFor();
    await page.locator('body').focus();
    await tabTo(page, page.getByRole('link', { name: 'Check' }));
    await keys.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Check the whole file' }));
    await keys.press('Enter');
    await page.frameLocator('iframe').locator('h1').first().waitFor();
    await isValid(studio, column);
    expect(readFileSync(studio.mapping, 'utf8')).toMatch(/^# Looked at by hand\.\n/);
  });

  it.each(REAL)('by mouse alone: %s', async (name, column) => {
    const studio = await openStudioPage(browser, path.join(REAL_DATA, name));
    const { page } = studio;
    await isProposed(page);
    await documentField(page, 'text').waitFor();
    const before = await documentField(page, 'text').textContent();
    await choose(page, 'text', new RegExp(`^${column}`));
    await documentText(page, (shown) => shown !== before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await documentText(page, (shown) => shown === before);
    await page.getByRole('button', { name: 'Redo' }).click();
    await documentText(page, (shown) => shown !== before);
    await documentField(page, 'text').locator('..').getByRole('button').click();
    expect(await page.locator('.pair tr.marked th').allTextContents()).toContain(column);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await header(page).getByText('saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await page.frameLocator('iframe').locator('h1').first().waitFor();
    await isValid(studio, column);
  });

  /** What the page says is what the command says. */
  async function isValid({ page, file, mapping, wrong }: StudioPage, column: string) {
    expect(readFileSync(mapping, 'utf8')).toContain(`text: "{${column}}"`);
    const verdict = (await page.locator('.verdict').textContent()) ?? '';
    const ended = await docferry(['validate', file, '-m', mapping, '--json'], { cwd: ROOT });
    expect(ended.code, ended.stderr).toBe(0);
    const { counts } = JSON.parse(ended.stdout);
    expect(verdict).toContain(`${counts.read.toLocaleString('en-US')} record`);
    expect(verdict).toContain(`${counts.unsent.toLocaleString('en-US')} of`);
    expect(wrong).toEqual([]);
  }
});

async function documentText(page: Page, is: (shown: string | null) => boolean): Promise<void> {
  await expect
    .poll(async () => is(await documentField(page, 'text').textContent()), { timeout: 5000 })
    .toBe(true);
}

describe('an edit', () => {
  it('of the text is shown in the fields and the document, and the other way round', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await editor(page).fill((await text(page)).replace(/language: .*/, 'language: { value: xx }'));
    await expect.poll(() => documentField(page, 'language').textContent()).toBe('xx');
    await choose(page, 'author.username', 'City');
    await expect.poll(() => text(page)).toContain('username: "{City}"');
    await expect.poll(() => documentField(page, 'author.username').textContent()).toBe('Lugo');
  });

  it('is helped along: what may stand at the cursor is offered', async () => {
    const { page, wrong } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await editor(page).fill('document:\n  ');
    await editor(page).press('Control+End');
    await editor(page).press('Control+ ');
    const suggestions = page.locator('.suggestions');
    await suggestions.getByRole('option', { name: /^sourceId/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.type('te');
    await suggestions.getByRole('option', { name: /^text/ }).waitFor();
    await expect.poll(() => suggestions.getByRole('option').count(), SOON).toBe(2);
    await page.keyboard.press('Enter');
    await expect.poll(() => text(page)).toBe('document:\n  text: ');
    await page.keyboard.type('"{lik');
    await suggestions.getByRole('option', { name: 'Liked', exact: true }).click();
    await expect.poll(() => text(page)).toContain('text: "{Liked}');
    await page.keyboard.press('Control+z');
    // What is typed quickly is undone at once, up to the proposal, of which this column is another part.
    await expect.poll(() => text(page)).not.toContain('text: "{Liked}');
    expect(wrong.filter((one) => !one.includes('422'))).toEqual([]);
  });

  it('that is a mistake is told beside the text, and the last document stays', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const right = await text(page);
    await editor(page).fill(right.replace('text:', 'txet:'));
    await page.locator('#mistakes').getByText('did you mean "text"').waitFor();
    await header(page).getByText('1 wrong').waitFor();
    expect(await page.locator('.editor .wrong').count()).toBe(1);
    expect(await documentField(page, 'sourceId').textContent()).toBe('HR-1001');
    await page.locator('#mistakes button').first().click();
    expect(
      await page.evaluate(
        'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
      ),
    ).toBe('txet');
    await editor(page).fill(right);
    await header(page).getByText('1 wrong').waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('.editor .wrong').count()).toBe(0);
  });

  it('takes a rival, another field, and a field out', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await choose(page, 'sourceId', /^.*a hash of/);
    await expect.poll(() => text(page)).toMatch(/sourceId:\s+\{? ?hash:|sourceId:\n\s+hash:/);
    await page.getByLabel('Another field').selectOption('parentSourceId');
    await page.locator('.new-field select').nth(1).selectOption({ label: 'Status' });
    await page.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => text(page)).toContain('parentSourceId: "{Status}"');
    await choose(page, 'published', 'Leave this field out');
    await expect.poll(() => text(page)).not.toContain('published:');
  });
});

describe('saving', () => {
  it('shows what changes, and writes nothing before', async () => {
    const { page, mapping } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByText('The file is new.').waitFor();
    expect(existsSync(mapping)).toBe(false);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await header(page).getByText('saved', { exact: true }).waitFor();
    await choose(page, 'author.username', 'City');
    await header(page).getByText('not saved').waitFor();
    await page.keyboard.press('Control+s');
    const difference = page.getByLabel('Differences');
    expect(await difference.locator('.removed').allTextContents()).toEqual([
      expect.stringContaining('username: "{Guest}"'),
    ]);
    expect(await difference.locator('.added').allTextContents()).toEqual([
      expect.stringContaining('username: "{City}"'),
    ]);
    expect(readFileSync(mapping, 'utf8')).toContain('username: "{Guest}"');
  });

  it('of one tab stops the other one, which may overwrite or give way', async () => {
    const { page: one, mapping, another } = await openStudioPage(browser, SAMPLE);
    await isProposed(one);
    const two = await another();
    await isProposed(two);
    await one.getByRole('button', { name: 'Save…' }).click();
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await header(one).getByText('saved', { exact: true }).waitFor();
    await choose(two, 'author.username', 'City');
    await expect.poll(() => text(two)).toContain('{City}');
    await two.getByRole('button', { name: 'Save…' }).click();
    await two.getByRole('button', { name: 'Save', exact: true }).click();
    await two.getByText('has changed on the disk').waitFor();
    expect(readFileSync(mapping, 'utf8')).not.toContain('username: "{City}"');
    await two.getByRole('button', { name: 'Overwrite it' }).click();
    await header(two).getByText('saved', { exact: true }).waitFor();
    expect(readFileSync(mapping, 'utf8')).toContain('username: "{City}"');
    await choose(one, 'author.username', 'Country');
    await one.getByRole('button', { name: 'Save…' }).click();
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await one.getByRole('button', { name: 'Take what is on the disk' }).click();
    await expect.poll(() => text(one)).toContain('username: "{City}"');
  });
});
