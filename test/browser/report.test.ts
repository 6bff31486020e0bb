/** The report's page as a browser shows it. */
import { rmSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thousands } from '../../src/model/figures.js';
import type { Report } from '../../src/report/report.js';
import { axeFindings, openFile, startBrowser } from './browser.js';
import { hostile, large } from './made-reports.js';
import { type WrittenPage, writePageOf, writePages } from './reports.js';

let browser: Browser;
let folder: string;
let pages: Readonly<Record<'validation' | 'imported' | 'hostile' | 'large', WrittenPage>>;

beforeAll(async () => {
  const written = await writePages();
  folder = written.folder;
  const { validation, imported } = written;
  pages = {
    validation,
    imported,
    hostile: await writePageOf(folder, hostile(validation.report)),
    large: await writePageOf(folder, large(validation.report)),
  };
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const KINDS = ['validation', 'imported', 'hostile'] as const;

describe.each(KINDS)('the page of a report (%s)', (kind) => {
  it.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (colorScheme) => {
    const { page } = await openFile(browser, pages[kind].file, { colorScheme });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await axeFindings(page)).toEqual([]);
    await page.context().close();
  });

  it('asks for nothing, and breaks no policy', async () => {
    const { page, wrong } = await openFile(browser, pages[kind].file);
    await page.locator('input[name=text]').fill('e');
    await page.waitForTimeout(200);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('has every count without scripts, as the JSON has it', async () => {
    const { page } = await openFile(browser, pages[kind].file, { javaScriptEnabled: false });
    const { report } = pages[kind];
    for (const [outcome, count] of Object.entries(report.counts)) {
      const shown = page.locator(`[data-count=${outcome}]`);
      expect(await shown.textContent(), outcome).toBe(thousands(count));
      expect(await shown.isVisible()).toBe(true);
    }
    expect(await problemRows(page)).toEqual(rowsOf(report));
    expect(await page.locator('.filter').evaluateAll(VISIBLE)).toEqual([]);
    await page.context().close();
  });

  it.each([320, 1280])('does not scroll sideways at %i px', async (width) => {
    const { page } = await openFile(browser, pages[kind].file, {
      viewport: { width, height: 800 },
    });
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.context().close();
  });
});

describe('the page', () => {
  it('shows hostile texts as they are', async () => {
    const { page, wrong } = await openFile(browser, pages.hostile.file);
    const { report } = pages.hostile;
    const shown = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const text of [report.inputs[0]?.name, report.mapping, report.notices[0]]) {
      expect(shown).toContain(text?.replaceAll('\u202e', '\\u202e'));
    }
    expect(shown).not.toContain('\u202e');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img, iframe, a:not([href^="#"])').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('is filtered by a text, and says when nothing is left', async () => {
    const { page } = await openFile(browser, pages.validation.file);
    const kind = pages.validation.report.problems[0]?.kind ?? '';
    const input = page.locator('input[name=text]');
    await input.fill(kind);
    expect(new Set((await problemRows(page)).map((row) => row[0]))).toEqual(new Set([kind]));
    expect(await page.locator('.problem:visible').count()).toBeGreaterThan(0);
    await input.fill('no such text');
    expect(await problemRows(page)).toEqual([]);
    expect(await page.locator('.filter output').textContent()).toBe('0 lines');
    await input.fill('');
    expect(await problemRows(page)).toEqual(rowsOf(pages.validation.report));
    await page.context().close();
  });

  it('is reached by Tab in the order in which it is read', async () => {
    const { page } = await openFile(browser, pages.validation.file);
    const reached: unknown[] = [];
    for (;;) {
      await page.keyboard.press('Tab');
      if (await page.evaluate('document.activeElement === document.body')) break;
      reached.push(
        await page.evaluate('document.activeElement.getBoundingClientRect().top + scrollY'),
      );
    }
    expect(reached.length).toBeGreaterThan(6);
    expect(reached).toEqual([...reached].sort((a, b) => Number(a) - Number(b)));
    await page.context().close();
  });

  it('selects all of its command with one click', async () => {
    const { page } = await openFile(browser, pages.validation.file);
    await page.locator('.command code').click();
    const command = await page.locator('.command code').textContent();
    expect(command).toMatch(/^docferry preview reviews\.csv -m \S+ --invalid$/);
    expect(await page.evaluate('getSelection().toString()')).toBe(command);
    await page.context().close();
  });

  it('prints dark on white, without what only a screen has a use for', async () => {
    const { page } = await openFile(browser, pages.validation.file, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours =
      'getComputedStyle(document.body).color + getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(colours)).toBe('rgb(0, 0, 0)rgb(255, 255, 255)');
    expect(await page.locator('nav, .filter').evaluateAll(VISIBLE)).toEqual([]);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.context().close();
  });

  it('is small, and says what it leaves out', async () => {
    expect(statSync(pages.validation.file).size).toBeLessThan(250_000);
    expect(statSync(pages.large.file).size).toBeLessThan(2_000_000);
    const { page } = await openFile(browser, pages.large.file);
    expect(await page.locator('#columns .cut').textContent()).toContain(
      `of ${thousands(pages.large.report.coverage?.columns.length ?? 0)} columns`,
    );
    await page.context().close();
  });
});

/** Of some elements, those that can be seen. */
const VISIBLE = (elements: readonly unknown[]): unknown =>
  (elements as readonly { checkVisibility(): boolean; className: string }[])
    .filter((element) => element.checkVisibility())
    .map(({ className }) => className);

/** The lines of problems that can be seen. */
async function problemRows(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page.locator('#problems tbody tr:visible').all();
  return await Promise.all(
    rows.map(async (row) => (await row.locator('th, td:not(.bars)').allTextContents()).map(trim)),
  );
}

const trim = (text: string): string => text.trim();

function rowsOf({ problems }: Report): readonly (readonly string[])[] {
  return problems
    .flatMap(({ kind, count, fields }) => {
      const named = Object.entries(fields);
      const rest = count - named.reduce((sum, [, number]) => sum + number, 0);
      const rows = rest > 0 ? [...named, ['whole record', rest] as const] : named;
      return rows.map(([field, number]) => ({ kind, field, number }));
    })
    .toSorted((a, b) => b.number - a.number)
    .map(({ kind, field, number }) => [kind, field, thousands(number)]);
}
