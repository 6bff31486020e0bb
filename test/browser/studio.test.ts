/** The mapping studio as a browser shows it. */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const SCREENS = ['Source', 'Map', 'Records', 'Check', 'Rehearse'] as const;

const show = (page: Page, screen: (typeof SCREENS)[number]) =>
  page.getByRole('navigation').getByRole('link', { name: screen }).click();
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

/** Lets the screens that take a run have one. */
async function fill(page: Page, screen: (typeof SCREENS)[number]): Promise<void> {
  if (screen === 'Records') await page.locator('summary').first().click();
  if (screen !== 'Check' && screen !== 'Rehearse') return;
  await page.getByRole('button', { name: screen, exact: true }).click();
  await page.frameLocator('iframe').locator('h1').first().waitFor();
}

describe('every screen', () => {
  it.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (colorScheme) => {
    const { page, wrong } = await openStudioPage(browser, SAMPLE, { colorScheme });
    await isProposed(page);
    for (const screen of SCREENS) {
      await show(page, screen);
      await fill(page, screen);
      await page.evaluate(
        "for (const one of document.querySelectorAll('details')) one.open = true",
      );
      expect(await axeFindings(page), screen).toEqual([]);
    }
    await page.getByRole('button', { name: 'Save…' }).click();
    expect(await axeFindings(page), 'saving').toEqual([]);
    expect(wrong).toEqual([]);
  });

  it.each([1280, 360, 320])('needs no scrolling sideways at %i pixels', async (width) => {
    const { page } = await openStudioPage(browser, SAMPLE, { viewport: { width, height: 800 } });
    await isProposed(page);
    for (const screen of SCREENS) {
      await show(page, screen);
      await fill(page, screen);
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(over, screen).toBeLessThanOrEqual(0);
    }
  });
});

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
    await tabTo(page, page.getByRole('button', { name: 'Check', exact: true }));
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
    await show(page, 'Check');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
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
    expect(verdict).toContain(`${counts.unsent.toLocaleString('en-US')} unsent`);
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

  it('of how the file is read is written under input, and read so at once', async () => {
    const content = 'id|text|date\n1|good and clean|2026-01-31\n2|bad and loud|2026-02-01\n';
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await show(page, 'Source');
    await page.getByLabel('delimiter').selectOption('comma');
    await page.getByRole('columnheader', { name: 'id|text|date' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('columnheader', { name: 'text', exact: false }).first().waitFor();
    await show(page, 'Map');
    expect(await text(page)).toContain('delimiter: "|"');
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

describe('records', () => {
  it('can be searched, filtered, and made tests that pass', async () => {
    const { page, mapping } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    await show(page, 'Records');
    await page.getByLabel('Search').fill('Camille');
    await expect.poll(() => page.locator('details.record').count()).toBe(1);
    await page.locator('summary').first().click();
    await page.getByRole('button', { name: 'Make this a test' }).click();
    await page.getByText('Added as test 1 of the mapping').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await header(page).getByText('saved', { exact: true }).waitFor();
    const tested = await docferry(['mapping', 'test', mapping], { cwd: ROOT });
    expect(tested.code, tested.stderr + tested.stdout).toBe(0);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Only invalid ones').check();
    await page.getByText('No matching records.').waitFor();
  });
});

describe('what goes wrong', () => {
  it('with a file that vanishes is said in a sentence, and goes on when it is back', async () => {
    const { page, file } = await openStudioPage(browser, SAMPLE);
    await isProposed(page);
    const content = readFileSync(file);
    rmSync(file);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('is no longer there').waitFor();
    writeFileSync(file, content);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Record 3' }).waitFor();
  });

  it('with a file that changes is that it is read again', async () => {
    const content = 'id;text;date\n1;good;2026-01-31\n';
    const { page, file } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    appendFileSync(file, '2;bad;2026-02-01\n');
    await page.reload();
    await page.getByText('1 of 2').waitFor();
  });

  it.each([
    ['empty', ''],
    ['without records', 'id;text;date\n'],
  ])('with a file that is %s is said, and its mapping can be written', async (_, content) => {
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await editor(page).waitFor();
    await page
      .getByText(/empty|no records/i)
      .first()
      .waitFor();
    await editor(page).fill('document:\n  text: "{text}"\n');
    await show(page, 'Source');
    await page
      .getByText(/There are no records in this file|empty/)
      .first()
      .waitFor();
  });

  it('with a check can be cancelled, and the next one begins', async () => {
    const lines = Array.from(
      { length: 800_000 },
      (_, n) => `${n};Good food number ${n};2026-01-31`,
    );
    const content = ['id;text;date', ...lines].join('\n');
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await show(page, 'Check');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled: there is no report.').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByText(/[1-9][\d,]* records read/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('with hostile texts is nothing: they are texts', async () => {
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
      await page.evaluate(
        "for (const one of document.querySelectorAll('details')) one.open = true",
      );
      expect(await page.evaluate('window.hacked')).toBeUndefined();
    }
    await show(page, 'Source');
    await page.getByText('<img src=x onerror=window.hacked=1>').first().waitFor();
    await page.getByText('abc\\u202etxt.exe').first().waitFor();
    expect(wrong).toEqual([]);
  });

  it('with 2,000 columns, and with cells of 1 MB, is shown in part, and said', async () => {
    const names = ['id', 'text', 'date', ...Array.from({ length: 1997 }, (_, n) => `c${n}`)];
    const cells = ['1', 'x'.repeat(1_000_000), '2026-01-31', ...names.slice(3).map(() => '7')];
    const content = `${names.join(';')}\n${cells.join(';')}\n`;
    const { page } = await openStudioPage(browser, { name: 'r.csv', content });
    await isProposed(page);
    await page.getByText('longer than').first().waitFor();
    await show(page, 'Source');
    await page.getByText('The first 60 of 2,000 columns').waitFor();
  });

  it('without the token is said', async () => {
    const { page, url } = await openStudioPage(browser, SAMPLE);
    await page.goto('about:blank');
    await page.goto(url.replace(/#.*/, ''));
    await page.getByText('The token is missing or wrong').first().waitFor();
  });
});
