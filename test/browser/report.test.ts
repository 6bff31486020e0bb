/** The report's page as a browser shows it. */
import { rmSync, statSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, thousands } from '../../src/model/figures.js';
import type { Report } from '../../src/report/report.js';
import { axeFindings, openFile, startBrowser } from './browser.js';
import { hostile, KINDS, large, made } from './made-reports.js';
import { type WrittenPage, writePageOf, writePages } from './reports.js';

/** What the command writes, and what takes too long or too much to make in a test. */
const ALL = ['validation', 'imported', 'repeated', ...KINDS] as const;

/** Kinds that have each part of a page between them. */
const WITH_ALL_PARTS: readonly string[] = ['validation', 'faults'];

let browser: Browser;
let folder: string;
let pages: Readonly<Record<(typeof ALL)[number] | 'hostile' | 'large', WrittenPage>>;

beforeAll(async () => {
  const { folder: into, ...written } = await writePages();
  folder = into;
  const { validation, imported } = written;
  const others = KINDS.map(async (kind) => {
    const from = kind === 'faults' ? imported : validation;
    return [kind, await writePageOf(folder, made(kind, from.report))] as const;
  });
  pages = {
    ...written,
    ...(Object.fromEntries(await Promise.all(others)) as Record<
      (typeof KINDS)[number],
      WrittenPage
    >),
    hostile: await writePageOf(folder, hostile(validation.report)),
    large: await writePageOf(folder, large(validation.report)),
  };
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

describe.each([...ALL, 'hostile'] as const)('the page of a report (%s)', (kind) => {
  it('has nothing that axe finds, asks for nothing, and does not scroll sideways', async () => {
    const { page, wrong } = await openFile(browser, pages[kind].file, { colorScheme: 'light' });
    await page.evaluate(OPEN);
    if (WITH_ALL_PARTS.includes(kind)) {
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFindings(page, "{ runOnly: ['color-contrast'] }")).toEqual([]);
    }
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(wrong).toEqual([]);
    await page.context().close();
  });

  it('is small, and has every count without scripts, as the JSON has it', async () => {
    const { report, file } = pages[kind];
    expect(statSync(file).size).toBeLessThan(250_000);
    const { page } = await openFile(browser, file, { javaScriptEnabled: false });
    const found = Object.entries(report.counts).filter(([, count]) => count > 0);
    const counts = page.locator('[data-count]');
    expect(await counts.evaluateAll(FIGURES)).toEqual(
      found.map(([outcome, count]) => [outcome, thousands(count), true]),
    );
    expect(await problemTitles(page)).toEqual(titlesOf(report));
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

  it('prints dark on white, without what only a screen has a use for', async () => {
    const { page } = await openFile(browser, pages.validation.file, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours =
      'getComputedStyle(document.body).color + getComputedStyle(document.body).backgroundColor';
    expect(await page.evaluate(colours)).toBe('rgb(0, 0, 0)rgb(255, 255, 255)');
    expect(await page.locator('nav').evaluateAll(VISIBLE)).toEqual([]);
    // What is closed on a screen is open on paper.
    expect(await page.locator('.problem .command').first().isVisible()).toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.context().close();
  });

  it('is small even with very many inputs and columns, and says what it leaves out', async () => {
    expect(statSync(pages.large.file).size).toBeLessThan(2_000_000);
    const { page } = await openFile(browser, pages.large.file);
    expect(await page.locator('#columns .cut').first().textContent()).toContain(
      `of ${thousands(pages.large.report.coverage?.columns.length ?? 0)} columns`,
    );
    await page.context().close();
  });
});

/** Opens all that can be opened; of many charts, the first. */
const OPEN =
  "for (const one of document.querySelectorAll('details:not(.card + .card *)')) one.open = true";

/** Of some elements, those that can be seen. */
const VISIBLE = (elements: readonly unknown[]): unknown =>
  (elements as readonly { checkVisibility(): boolean; className: string }[])
    .filter((element) => element.checkVisibility())
    .map(({ className }) => className);

/** Of counts, each with its figure, and whether it can be seen. */
const FIGURES = (elements: readonly unknown[]): unknown =>
  (
    elements as readonly {
      readonly dataset: { readonly count: string };
      readonly textContent: string;
      checkVisibility(): boolean;
    }[]
  ).map((one) => [one.dataset.count, one.textContent, one.checkVisibility()]);

/** Titles of the causes that can be seen. */
async function problemTitles(page: Page): Promise<readonly string[]> {
  return await page.locator('.problem:visible > b').allTextContents();
}

/** Texts from outside are escaped on the page, not in the report. */
function titlesOf({ causes }: Report): readonly unknown[] {
  return causes.map(({ records, message }) =>
    expect.stringContaining(`${count(records, 'record')}: ${message.replaceAll('`', '')}`),
  );
}
