import { EventEmitter, once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { StudioService } from '../../src/studio/service.js';
import { startStudio } from '../../src/studio/start-studio.js';
import { axeFindings } from './browser.js';

/** A studio in a browser, for the running test. */
export interface StudioPage {
  readonly page: Page;
  readonly file: string;
  readonly mapping: string;
  readonly url: string;
  /** Requests to elsewhere, refused ones, messages of the console, errors and dialogs. */
  readonly wrong: string[];
  /** Another tab of the same studio. */
  another(): Promise<Page>;
  /** Stops the server. */
  stop(): Promise<void>;
  /** Starts a stopped server again at the same port; returns its address. */
  start(): Promise<string>;
}

/** Opens the studio for a copy of a file, or for one with this content, with a mapping or a guess. */
export async function openStudioPage(
  browser: Browser,
  source: string | { readonly name: string; readonly content: string | Uint8Array },
  options: BrowserContextOptions & {
    readonly mapping?: string;
    readonly service?: StudioService;
  } = {},
): Promise<StudioPage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docferry-studio-'));
  const name = typeof source === 'string' ? path.basename(source) : source.name;
  const file = path.join(folder, name);
  if (typeof source === 'string') copyFileSync(source, file);
  else writeFileSync(file, source.content);
  const { mapping: written, service, ...device } = options;
  let studio = await startStudio({ file, ready: false, service, commandLine });
  if (written !== undefined) writeFileSync(studio.mapping, written);
  const context = await browser.newContext(device);
  onTestFinished(async () => {
    await context.close();
    await studio.close();
    rmSync(folder, { recursive: true });
  });
  const wrong: string[] = [];
  const { url, mapping } = studio;
  const another = () => watchedPage(context.newPage(), url, wrong);
  const stop = (): Promise<void> => studio.close();
  const port = Number(new URL(url).port);
  const start = async (): Promise<string> => {
    studio = await startStudio({ file, ready: false, port, commandLine });
    return studio.url;
  };
  return { page: await another(), file, mapping, url, wrong, another, stop, start };
}

function commandLine(command: string, file: string, mapping: string): string {
  const words = ['docferry', command, file, '--mapping', mapping];
  return [...words, ...(command === 'import' ? ['--monitoring', 'ID'] : [])].join(' ');
}

async function watchedPage(opening: Promise<Page>, url: string, wrong: string[]): Promise<Page> {
  const page = await opening;
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) wrong.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => {
    // Leaving with changes that are not saved is asked about.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    wrong.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(url);
  return page;
}

/** Holds the server's answers back. Releases them, and waits until the page has those asked for so far. */
export async function holdAnswers(page: Page, url = '**/api/**'): Promise<() => Promise<void>> {
  const gate = new EventEmitter();
  const released = once(gate, 'release');
  const held: Promise<unknown>[] = [];
  await page.route(url, (route) => {
    const answer = released
      .then(() => route.fetch())
      .then((response) => route.fulfill({ response }));
    // The page may have gone elsewhere.
    held.push(answer.catch(() => undefined));
  });
  return async () => {
    gate.emit('release');
    await Promise.all(held);
  };
}

/** Waits until a proposal stands there, and what it makes of a record. */
export async function isProposed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a field' }).waitFor();
  await page
    .getByRole('region', { name: 'Document' })
    .locator('article, .problems')
    .first()
    .waitFor();
}

export function documentField(page: Page, name: string): Locator {
  const fields = page.getByRole('table', { name: 'The document’s fields' });
  return fields.locator(`[data-name="${name}"] td`).first();
}

export function editor(page: Page): Locator {
  return page.getByLabel('The mapping', { exact: true });
}

/** Opens the mapping's text below the fields. */
export async function openText(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mapping text' }).click();
  await editor(page).waitFor();
}

/** Opens a field's panel by its technical name. */
export async function openField(page: Page, name: string): Promise<void> {
  await page.locator(`[data-open="${name}"]`).click();
}

/** A choice of the open list, by the beginning of its text. */
export function choiceIn(page: Page, name: string): Locator {
  return page.locator('.choices').getByRole('button', { name }).first();
}

/** Takes a field from a column, and returns to the list of fields. */
export async function chooseColumn(page: Page, field: string, column: string): Promise<void> {
  await openField(page, field);
  await page.locator('.chosen .choice-button').first().click();
  await choiceIn(page, column).click();
  await page.locator('.field-panel > code').getByText(column).waitFor();
  await page.getByRole('button', { name: '← All fields' }).click();
}

/** Pixels by which the page is wider than its window. */
export async function overflowAt(page: Page, width: number): Promise<unknown> {
  await page.setViewportSize({ width, height: 800 });
  return await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

/** Findings of axe, those about colours in light and dark. */
export async function findingsIn(page: Page): Promise<unknown> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axeFindings(page, "{ runOnly: ['color-contrast'] }");
  await page.emulateMedia({ colorScheme: 'light' });
  return [dark, await axeFindings(page)].flat();
}

/** Presses Tab, or Shift-Tab for what stands before, until something has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const key = await wanted.evaluate(KEY_TOWARDS);
  for (let presses = 0; presses < 300; presses += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('Tab does not lead there.');
}

/** The key that leads from what has the focus to an element. */
const KEY_TOWARDS = (element: {
  readonly ownerDocument: {
    readonly activeElement: { compareDocumentPosition(other: unknown): number } | null;
  };
}): string => {
  const PRECEDING = 2;
  const { activeElement } = element.ownerDocument;
  const position = activeElement?.compareDocumentPosition(element) ?? 0;
  return position & PRECEDING ? 'Shift+Tab' : 'Tab';
};
