import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts the machine's own browser. These tests fail where there is none: nothing else holds what they do. */
export async function startBrowser(): Promise<Browser> {
  // Containers have little shared memory, and their user may be root, whom Chromium gives no sandbox.
  const args = ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return await chromium.launch({ executablePath: findBrowser(), args });
}

function findBrowser(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(
    isProgram,
  );
  if (found !== undefined) return found;
  throw new Error(`There is no browser: install one of ${NAMES.join(', ')}.`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A page, and what it did that it should not have done. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests beyond the page itself, messages of the console, errors and dialogs. */
  readonly wrong: readonly string[];
}

/** Opens a file without a network. */
export async function openFile(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ offline: true, ...options });
  const page = await context.newPage();
  const wrong: string[] = [];
  const address = `file://${file}`;
  page.on('request', (request) => {
    const url = request.url();
    if (url.replace(/#.*/, '') !== address && !url.startsWith('data:')) wrong.push(url);
  });
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => {
    wrong.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, wrong };
}

/** @param options of `axe.run`, as JavaScript */
export async function axeFindings(page: Page, options = ''): Promise<unknown> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(`axe.run(${options})`);
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
