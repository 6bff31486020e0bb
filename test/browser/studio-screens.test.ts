import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../helpers/markdown.js';
import { docferry } from '../helpers/run-cli.js';
import { startBrowser } from './browser.js';
import { findingsIn, isProposed, openStudioPage, overflowAt } from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const SAMPLE = path.join(ROOT, 'samples/hotel-reviews.csv');
/** The second record lacks a text, and the third has a date that there isn't. */
const FAULTY = {
  name: 'r.csv',
  content: [
    'id;text;date',
    ...Array.from({ length: 60 }, (_, n) => `${n};Good food number ${n};${n % 28}.01.2026`),
  ]
    .join('\n')
    .replace('number 2;2.01', 'number 2;32.01'),
};
const SCREENS = ['Source', 'Map', 'Records', 'Check'] as const;

const show = (page: Page, screen: (typeof SCREENS)[number]) =>
  page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: screen, exact: true })
    .click();
const columns = (page: Page) => page.locator('.column-list > li');
const records = (page: Page) => page.locator('table.record-table > tbody > tr:not(.opened)');
const filter = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name });

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('header').getByText('saved', { exact: true }).waitFor();
}

/** Brings a screen to where it shows most. */
async function fill(page: Page, screen: (typeof SCREENS)[number]): Promise<void> {
  if (screen === 'Source') await columns(page).first().waitFor();
  if (screen === 'Records') await page.locator('.expand').first().click();
  if (screen === 'Check') {
    await page.getByRole('button', { name: 'Rehearse the import' }).click();
    await page.frameLocator('iframe').locator('h1').first().waitFor();
  }
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
}

describe('every screen', () => {
  it('has nothing that axe finds, and needs no scrolling sideways', async () => {
    const { page, wrong } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    for (const screen of SCREENS) {
      await show(page, screen);
      await fill(page, screen);
      for (const width of [360, 1280]) {
        expect(await overflowAt(page, width), `${screen} at ${width} pixels`).toBe(0);
      }
      // The map's tests look at the map.
      if (screen !== 'Map') expect(await findingsIn(page), screen).toEqual([]);
    }
    await save(page);
    await page.getByLabel('Id of the monitoring').fill('x');
    expect(await findingsIn(page), 'the next command').toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('shows hostile texts as texts', async () => {
    const hostile = [
      '</script><script>window.hacked=1</script>',
      '<img src=x onerror=window.hacked=1>',
      '{{7*7}}',
      'abc\u202etxt.exe',
      '=HYPERLINK("http://example.com")',
    ];
    const rows = hostile.map((one, n) => ({ id: `r${n}`, [hostile[0] ?? '']: one, text: one }));
    const content = rows.map((row) => JSON.stringify(row)).join('\n');
    const { page, wrong } = await openStudioPage(browser, { name: 'r.jsonl', content });
    await isProposed(page);
    for (const screen of SCREENS) {
      await show(page, screen);
      await fill(page, screen);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
    }
    await show(page, 'Source');
    await page.getByText('<img src=x onerror=window.hacked=1>').first().waitFor();
    await page.getByText('abc\\u202etxt.exe').first().waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('the source', () => {
  it('shows of each column its values and the fields that use it', async () => {
    const { page } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await show(page, 'Source');
    const rating = columns(page).filter({ has: page.getByRole('heading', { name: 'Rating' }) });
    await rating.getByText('100% filled').waitFor();
    await rating.getByText('9,0 × 4').waitFor();
    const status = columns(page).filter({ has: page.getByRole('heading', { name: 'Status' }) });
    await status.getByText('not used').waitFor();
    await rating.getByRole('link', { name: 'metrics.score' }).click();
    expect(await page.evaluate('location.hash')).toContain('screen=Map&field=metrics.score');
  });

  it('shows 100 of 2,000 columns, and finds the others', async () => {
    const names = ['id', 'text', 'date', ...Array.from({ length: 1997 }, (_, n) => `c${n}`)];
    const cells = ['1', 'x'.repeat(1_000_000), '2026-01-31', ...names.slice(3).map(() => '7')];
    const content = `${names.join(';')}\n${cells.join(';')}\n`;
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await show(page, 'Source');
    await page.getByText('The first 100 of 2,000 are shown').waitFor();
    await page.getByText('The first 60 of 2,000 columns').waitFor();
    await page
      .getByText(/… \([\d,]+ characters\)/)
      .first()
      .waitFor();
    await page.getByLabel('Search columns').fill('C1996');
    await expect.poll(() => columns(page).count()).toBe(1);
    await page.getByLabel('Search columns').fill('nowhere');
    await page.getByText('No column’s name contains “nowhere”.').waitFor();
  });

  it('writes how the file is read under input, and reads it so at once', async () => {
    const content = 'id|text|date\n1|good and clean|2026-01-31\n2|bad and loud|2026-02-01\n';
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await show(page, 'Source');
    await page.getByText('Read it differently').click();
    await page.getByLabel('delimiter').selectOption('comma');
    await page.getByRole('columnheader', { name: 'id|text|date' }).waitFor();
    await page.locator('header').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('columnheader', { name: 'text', exact: true }).waitFor();
  });
});

describe('records', () => {
  it('are filtered by outcome and by problem, and the address keeps the filter', async () => {
    const { page, wrong } = await openStudioPage(browser, FAULTY);
    await isProposed(page);
    await show(page, 'Records');
    await page.getByText('1–25 of 60').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–50 of 60').waitFor();
    const [outcome] = (await filter(page, /^invalid/).textContent())?.match(/\d+/) ?? [];
    await filter(page, /^invalid/).click();
    await page.getByText(`1–${outcome} of ${outcome}`).waitFor();
    expect(await records(page).count()).toBe(Number(outcome));
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('link').first();
    const [, count] = /(\d+)$/.exec((await problem.textContent()) ?? '') ?? [];
    await problem.click();
    await page.getByText(`1–${count} of ${count}`).waitFor();
    await page.reload();
    await page.getByText(`1–${count} of ${count}`).waitFor();
    await page.goBack();
    await page.getByText(`1–${outcome} of ${outcome}`).waitFor();
    await page.getByLabel('Search records').fill('nothing like it');
    await page.getByText('No record with this filter contains “nothing like it”.').waitFor();
    await filter(page, /^skipped/).click();
    await page.getByText('No record is skipped.').waitFor();
    await page.getByRole('link', { name: 'Show all records' }).click();
    await page.getByText('1–25 of 60').waitFor();
    expect(wrong).toEqual([]);
  });
});

describe('a check', () => {
  it('says what the command says, and the next command works as it is copied', async () => {
    const { page, file, mapping } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await show(page, 'Check');
    await page.getByText('Save hotel-reviews.mapping.yaml first').waitFor();
    expect(await page.locator('.command').count()).toBe(0);
    await page.locator('main').getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    const verdict = (await page.locator('.verdict').textContent()) ?? '';
    const ended = await docferry(['validate', file, '-m', mapping, '--json'], { cwd: ROOT });
    const { counts } = JSON.parse(ended.stdout);
    expect(verdict).toContain(`${counts.unsent} of ${counts.read} records are valid`);
    expect(verdict).toContain(`${counts.skipped} skipped`);
    const commands = page.locator('.command');
    expect(await commands.first().getByRole('button').isDisabled()).toBe(true);
    await page.getByLabel('Id of the monitoring').fill('seven');
    await page.getByText('“seven” is not an id').waitFor();
    await page.getByLabel('Id of the monitoring').fill('7');
    expect(await commands.first().getByRole('button').isDisabled()).toBe(false);
    const [program, ...words] = ((await commands.nth(1).locator('code').textContent()) ?? '')
      .trim()
      .split(' ');
    expect([program, words.at(-1), words.at(-2)]).toEqual(['docferry', '--sandbox', '7']);
    const state = ['--state-dir', path.join(path.dirname(file), 'state')];
    const imported = await docferry([...words, ...state], { cwd: path.dirname(file) });
    expect(imported.code, imported.stderr).toBe(0);
    expect(imported.stdout).toContain('into monitoring 7');
  });

  it('can be cancelled, and the next one begins', async () => {
    const lines = Array.from(
      { length: 300_000 },
      (_, n) => `${n};Good food number ${n};2026-01-31`,
    );
    const content = ['id;text;date', ...lines].join('\n');
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await show(page, 'Check');
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled: there is no report.').waitFor();
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    await page.getByRole('progressbar').waitFor();
  });
});
