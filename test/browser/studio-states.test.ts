/** What the studio's page shows while its server, its file or its token isn't right. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { startBrowser } from './browser.js';
import { findingsIn, holdAnswers, isProposed, openStudioPage, overflowAt } from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
/** The user comes back to the window. */
const returnTo = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))");

/** A page of its own: nothing else, and nothing that axe finds. */
async function isWholePage(page: Page, name: string): Promise<void> {
  await heading(page, name).waitFor();
  expect(await page.locator('main').count()).toBe(1);
  expect(await page.getByRole('navigation').count()).toBe(0);
  for (const width of [360, 1280]) {
    expect(await overflowAt(page, width), `${name} at ${width} pixels`).toBe(0);
  }
  expect(await findingsIn(page), name).toEqual([]);
}

describe('what isn’t there', () => {
  it('a stopped server leaves the mapping to be copied, and the command that starts it again', async () => {
    const studio = await openStudioPage(browser, SAMPLE);
    const { page, url, stop } = studio;
    await isProposed(page);
    await expect.poll(() => page.title()).toBe('• hotel-reviews.csv – Mapping studio');
    await stop();
    await returnTo(page);
    await isWholePage(page, 'The studio has stopped');
    await page.getByText('changes that are not saved').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy its text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'sourceId: "{Review ID}"',
    );
    const { port } = new URL(url);
    const command = (await page.locator('.command code').textContent()) ?? '';
    expect(command.trim()).toMatch(new RegExp(`^docferry studio .* --port ${port}$`));
  });

  it('a studio with a new token takes its address, and changes stay', async () => {
    const { page, stop, start } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await page.getByRole('link', { name: 'Source' }).click();
    await page.getByText('Read it differently').click();
    await page.getByLabel('encoding').selectOption('utf-8');
    const undo = page.locator('header').getByRole('button', { name: 'Undo' });
    await expect.poll(() => undo.isEnabled()).toBe(true);
    await stop();
    await returnTo(page);
    await heading(page, 'The studio has stopped').waitFor();
    const url = await start();
    await heading(page, 'This address doesn’t open the studio').waitFor();
    // Only the token differs, so that the page stays as it is.
    await page.goto(url);
    await isProposed(page);
    await undo.click();
    await page.getByRole('link', { name: 'Source' }).click();
    await page.getByText('Read it differently').click();
    expect(await page.getByLabel('encoding').inputValue()).toBe('');
  });

  it('a wrong token says where the right address is', async () => {
    const { page, url } = await openStudioPage(browser, SAMPLE);
    await page.goto('about:blank');
    await page.goto(url.slice(0, -4));
    await isWholePage(page, 'This address doesn’t open the studio');
    await page.getByText('docferry studio FILE').waitFor();
    await page.goto(url);
    await isProposed(page);
  });

  it('a file that vanishes is said, and the page continues when it is back', async () => {
    const { page, file } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const content = readFileSync(file);
    rmSync(file);
    await returnTo(page);
    await isWholePage(page, 'The file is gone');
    await page.getByText('is no longer there').waitFor();
    writeFileSync(file, content);
    await isProposed(page);
  });

  it('a file that can’t be read is said with the ways to read it', async () => {
    const content = Buffer.from('id;text;date\n1;caf\xe9 \x93good\x94;2026-01-31\n', 'latin1');
    const source = { name: 'r.csv', content: '' };
    const { page, file } = await openStudioPage(browser, source);
    await isWholePage(page, 'The file can’t be read');
    await page.getByText('is empty').waitFor();
    await page.getByLabel('encoding').selectOption('windows-1252');
    writeFileSync(file, content);
    await returnTo(page);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await page.getByRole('link', { name: 'Source' }).click();
    await page.getByRole('cell', { name: 'café “good”' }).waitFor();
  });
});

describe('a page that waits for its server', () => {
  it.each(['Map', 'Records', 'Check'])('says on the screen %s what is done', async (screen) => {
    const { page, url, wrong } = await openStudioPage(browser, SAMPLE);
    const release = await holdAnswers(page, '**/api/{guess,evaluate}');
    await page.goto('about:blank');
    await page.goto(`${url}&screen=${screen}`);
    await page.getByText('Finding out what is in the first records of the file.').waitFor();
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
    expect(await findingsIn(page)).toEqual([]);
    await release();
    await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' });
    expect(wrong).toEqual([]);
  });
});

describe('a file that is dropped on the page', () => {
  it('is not opened, and the page says how it is', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await page.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['id,text'], 'next month.csv'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('main').dispatchEvent(drop);
    }`);
    await page.getByText(/docferry studio .next month\.csv./).waitFor();
    await isProposed(page);
  });
});

describe('a file that changes', () => {
  it('is read again when the user returns', async () => {
    const content = 'id;text;date\n1;good;2026-01-31\n';
    const { page, file } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByText('1–1 of 1').waitFor();
    appendFileSync(file, '2;bad;2026-02-01\n');
    await returnTo(page);
    await page.getByText('1–2 of 2').waitFor();
  });
});
