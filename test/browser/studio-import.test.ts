/** The import that a studio with a connection makes by itself, into a real sandbox. */
import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';
import { startBrowser } from './browser.js';
import { findingsIn, isProposed, openStudioPage, tabTo } from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

function reviews(count: number) {
  const rows = Array.from(
    { length: count },
    (_, n) => `${n};Good food number ${n};${1 + (n % 28)}.01.2026`,
  );
  return { name: 'r.csv', content: ['id;text;date', ...rows].join('\n') };
}

/** Opens the last screen of a studio that is connected to a sandbox, with the mapping saved. */
async function openLastScreen(sandbox: TestSandbox, count = 40) {
  const { baseUrl, username, apiKey } = sandbox;
  const service = {
    connection: { baseUrl, username, apiKey },
    options: { stateDir: newFolder() },
  };
  const opened = await openStudioPage(browser, reviews(count), { service });
  const { page } = opened;
  await isProposed(page);
  await page.keyboard.press('Control+s');
  await page.getByText(/^The file is new, with .*records left out.*Review text/s).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: 'Check' })
    .click();
  return opened;
}

const importButton = (page: Page) => page.getByRole('button', { name: 'Import…' });
const monitoring = (page: Page) => page.getByLabel('Monitoring to import into');

describe('a studio with a connection', () => {
  it('imports after a check and one confirmation, and ends with the page of the report', async () => {
    const sandbox = await startWithMonitoring();
    const { page, wrong } = await openLastScreen(sandbox);
    await page.getByText('Check the whole file first, to count its documents.').waitFor();
    expect(await importButton(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await page.getByText('40 of 40 records are valid.').waitFor();
    await monitoring(page).selectOption('1');
    await importButton(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/40 documents to .*into the monitoring .*\(1\)/).waitFor();
    expect(await dialog.innerText()).toContain(sandbox.baseUrl);
    expect(await findingsIn(page)).toEqual([]);
    expect((await shownDocuments(sandbox)).length).toBe(0);
    await dialog.getByRole('button', { name: 'Import 40 documents' }).click();
    await page.getByText('The sandbox accepted 40 of 40 records.').waitFor();
    await page.getByText(/^The import is done, and its report is below\./).waitFor();
    await page.frameLocator('iframe').getByText('40').first().waitFor();
    expect((await shownDocuments(sandbox)).length).toBe(40);
    expect(await page.content()).not.toContain(sandbox.apiKey);
    expect(wrong).toEqual([]);
  });

  it('imports by keyboard, and a second time sends nothing again', async () => {
    const sandbox = await startWithMonitoring();
    const { page } = await openLastScreen(sandbox);
    for (const verdict of [/accepted 40 of 40/, /accepted 0 of 40 records, 40 duplicate/]) {
      await tabTo(page, page.getByRole('button', { name: 'Check the whole file' }));
      await page.keyboard.press('Enter');
      await page.getByText('40 of 40 records are valid.').waitFor();
      await tabTo(page, monitoring(page));
      await page.keyboard.press('End');
      await tabTo(page, importButton(page));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByRole('button', { name: 'Import 40 documents' }));
      await page.keyboard.press('Enter');
      await page.getByText(verdict).waitFor();
    }
    expect((await shownDocuments(sandbox)).length).toBe(40);
  });

  it('imports only the mapping that was checked', async () => {
    const sandbox = await startWithMonitoring();
    const { page } = await openLastScreen(sandbox);
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await monitoring(page).selectOption('1');
    await expect.poll(() => importButton(page).isDisabled()).toBe(false);
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Map' })
      .click();
    await page.getByRole('button', { name: 'Mapping text' }).click();
    await page.getByLabel('The mapping', { exact: true }).fill('document:\n  text: "{text}"\n');
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Check' })
      .click();
    await page.getByText('Save r.mapping.yaml first').waitFor();
    expect(await importButton(page).count()).toBe(0);
  });

  it('reports an import that is cancelled, and what it sent', async () => {
    const sandbox = await startWithMonitoring({
      faults: { rules: [{ on: 'import', latency: { fixed: 1_500 } }] },
    });
    const { page } = await openLastScreen(sandbox, 6_000);
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await page.getByText('6,000 of 6,000 records are valid.').waitFor();
    await monitoring(page).selectOption('1');
    await importButton(page).click();
    await page.getByRole('button', { name: 'Import 6,000 documents' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const verdict = page.getByText(/^The sandbox accepted [\d,]+ of [\d,]+ records/);
    await verdict.waitFor();
    const accepted = /accepted ([\d,]+)/.exec((await verdict.textContent()) ?? '')?.[1] ?? '';
    expect((await shownDocuments(sandbox)).length).toBe(Number(accepted.replace(',', '')));
  });

  it('imports no file that has changed since the check', async () => {
    const sandbox = await startWithMonitoring();
    const { page, file } = await openLastScreen(sandbox);
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await monitoring(page).selectOption('1');
    await importButton(page).click();
    writeFileSync(file, `${reviews(39).content}\n99;Others;01.02.2026`);
    await page.getByRole('button', { name: 'Import 40 documents' }).click();
    await page.getByText(/has changed since it was checked/).waitFor();
    expect(await shownDocuments(sandbox)).toEqual([]);
  });

  it('says why the monitorings can’t be listed', async () => {
    const sandbox = await startWithMonitoring();
    const { page } = await openLastScreen({ ...sandbox, apiKey: 'wrong' });
    await page.getByRole('alert').getByText(/401/).waitFor();
    expect(await importButton(page).isDisabled()).toBe(true);
  });
});
