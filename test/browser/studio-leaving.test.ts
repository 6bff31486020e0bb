/** Edits that are under way when the user goes elsewhere: the server answers only after that. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THREE_TEXTS } from '../studio/three-texts.js';
import { startBrowser } from './browser.js';
import {
  editor,
  holdAnswers,
  isProposed,
  openField,
  openStudioPage,
  openText,
  type StudioPage,
} from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const REVIEWS = {
  name: 'r.csv',
  content: [
    'Id,Date,Title,Good points,Bad points,Score',
    ...Array.from(
      { length: 12 },
      (_, n) =>
        `r${n}x,2025-03-${n + 10},So ${n},The view was lovely on day ${n},The lift was poor on day ${n},${n % 5}`,
    ),
  ].join('\n'),
};

const ALL_COLUMNS = 'join: ["{Title}", "{Good points}", "{Bad points}"]';
const WITHOUT_TITLE = 'join: ["{Good points}", "{Bad points}"]';
const MAPPING = `name: Slow
profile: minimal
document:
  sourceId: "{Id}"
  text: { ${ALL_COLUMNS}, with: " " }
  published: { from: Date, date: yyyy-MM-dd }
  metrics: { score: { from: Score, number: "." } }
`;
const EDITED = MAPPING.replace(ALL_COLUMNS, WITHOUT_TITLE);

/** An edit may wait for the one before it. */
const SOON = { timeout: 15_000 };

/** Time in which an answer that the page has taken would show. */
const SETTLED_MS = 500;

/** A studio whose server answers once it is released. */
interface HeldStudio extends StudioPage {
  release(): Promise<void>;
}

/** Opens a field's panel, and then holds the server's answers back. */
async function openHeldField(field = 'text'): Promise<HeldStudio> {
  const studio = await openStudioPage(browser, REVIEWS, { mapping: MAPPING });
  const { page } = studio;
  await page.getByRole('link', { name: '12 valid' }).waitFor();
  await openField(page, field);
  await page.getByRole('radio').first().waitFor();
  return { ...studio, release: await holdAnswers(page) };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name });
const leaveOut = (page: Page, column: string) => button(page, `Leave out ${column}`).click();
const undo = (page: Page) => page.locator('header').getByRole('button', { name: 'Undo' });
const redo = (page: Page) => page.locator('header').getByRole('button', { name: 'Redo' });

/** Waits until the mapping's text is this one. */
async function becomes(page: Page, expected: string): Promise<void> {
  await screen(page, 'Map').click();
  if ((await editor(page).count()) === 0) await openText(page);
  await expect.poll(() => editor(page).inputValue(), SOON).toBe(expected);
}

interface Leaving {
  readonly by: string;
  leave(page: Page): Promise<unknown>;
}

const WAYS: readonly Leaving[] = [
  { by: 'Escape', leave: (page) => page.keyboard.press('Escape') },
  { by: 'opening a different screen', leave: (page) => screen(page, 'Source').click() },
  { by: 'opening the mapping’s text', leave: openText },
  {
    by: 'the browser’s back button',
    leave: (page) => page.evaluate('history.back()'),
  },
];

/** Answers each dialog of the browser with no, and lists them. */
function refuseToLeave(page: Page): readonly string[] {
  const asked: string[] = [];
  page.removeAllListeners('dialog');
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  return asked;
}

describe('an edit that is being made', () => {
  it.each(WAYS)('is made once when its field is left by $by', async ({ by, leave }) => {
    const { page, release } = await openHeldField();
    if (by.startsWith('the browser')) {
      await screen(page, 'Records').click();
      await screen(page, 'Map').click();
      await openField(page, 'text');
    }
    await leaveOut(page, 'Title');
    await leave(page);
    await release();
    await becomes(page, EDITED);
    await undo(page).click();
    await becomes(page, MAPPING);
    expect(await undo(page).isDisabled()).toBe(true);
  });

  it('is saved when Save is clicked at once', async () => {
    const { page, mapping, release } = await openHeldField();
    await leaveOut(page, 'Title');
    await page.keyboard.press('Control+s');
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await release();
    await button(page, 'Save').click();
    await expect.poll(() => readFileSync(mapping, 'utf8'), SOON).toBe(EDITED);
    await page.locator('header').getByText('saved', { exact: true }).waitFor();
    const status = page.getByRole('region', { name: 'The sample with this mapping' });
    expect(await status.getByRole('status').textContent()).toBe('');
    await undo(page).click();
    await status.getByText('Undone. No change before it.').waitFor();
  });

  it('is undone by Ctrl-Z without the one before it', async () => {
    const { page, release } = await openHeldField();
    await leaveOut(page, 'Title');
    await page.getByLabel('Between them').selectOption('a new line');
    await page.keyboard.press('Control+z');
    await release();
    await page.waitForTimeout(SETTLED_MS);
    await becomes(page, EDITED);
    await undo(page).click();
    await becomes(page, MAPPING);
    expect(await undo(page).isDisabled()).toBe(true);
  });

  it('is asked about while it is typed', async () => {
    const { page, release } = await openHeldField();
    const asked = refuseToLeave(page);
    await page.getByLabel('Use this value').pressSequentially('none');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await release();
    await becomes(page, MAPPING.replace('with: " " }', 'with: " ", else: none }'));
  });

  it('that fails is said, and Redo tries it again', async () => {
    const { page, release } = await openHeldField();
    await page.route('**/api/{edit,propose}', (route) =>
      route.fulfill({ status: 500, json: { message: 'It broke.' } }),
    );
    await leaveOut(page, 'Title');
    await screen(page, 'Source').click();
    await page.getByText('It broke.').waitFor();
    await page.unroute('**/api/{edit,propose}');
    await release();
    await redo(page).click();
    await becomes(page, EDITED);
  });

  it.each(['Save', 'Back'])('is what was typed, when %s ends it', async (by) => {
    const { page, mapping, release } = await openHeldField();
    if (by === 'Back') {
      await screen(page, 'Records').click();
      await screen(page, 'Map').click();
      await openField(page, 'text');
    }
    await page.getByLabel('Use this value').pressSequentially('none');
    if (by === 'Back') await page.evaluate('history.back()');
    if (by === 'Save') await page.keyboard.press('Control+s');
    await release();
    if (by === 'Save') await button(page, 'Save').click();
    const typed = MAPPING.replace('with: " " }', 'with: " ", else: none }');
    await becomes(page, typed);
    if (by === 'Save') await expect.poll(() => readFileSync(mapping, 'utf8'), SOON).toBe(typed);
  });
});

describe('two answers in quick succession', () => {
  it('are both made, each to what the one before left', async () => {
    const source = { name: 'texts.csv', content: THREE_TEXTS };
    const { page } = await openStudioPage(browser, source);
    await isProposed(page);
    const release = await holdAnswers(page);
    const about = (column: string) =>
      page.locator('.question').filter({ hasText: `"${column}" is part of the review` });
    for (const column of ['Zeta', 'Omega']) {
      await about(column).getByRole('button', { name: 'No' }).click();
      if (column === 'Zeta') await about('Omega').locator(':focus').waitFor();
      await about(column).waitFor({ state: 'detached', timeout: 1_000 });
    }
    await release();
    await openText(page);
    // The id stays what it was.
    const rules = async () =>
      (await editor(page).inputValue()).replace(/^\s*(#|sourceId:).*$/gm, '');
    await expect.poll(rules, SOON).not.toMatch(/Zeta|Omega/);
    expect(await rules()).toContain('text: "{Review}"');
  });
});

describe('a question that no longer applies', () => {
  it('is gone, and that is said; Undo asks it again', async () => {
    const source = { name: 'texts.csv', content: THREE_TEXTS };
    const { page } = await openStudioPage(browser, source);
    await isProposed(page);
    const question = page.locator('.question').filter({ hasText: '"Zeta" is part of the review' });
    await question.waitFor();
    await openField(page, 'text');
    await button(page, 'Leave out Zeta').click();
    await page.getByText(/^No longer asked, .*: Check that "Zeta" is part of the review/).waitFor();
    expect(await question.count()).toBe(0);
    await page.locator('.question').filter({ hasText: '"Omega" is part of the review' }).waitFor();
    await undo(page).click();
    await question.waitFor();
    await page.getByText('No longer asked').waitFor({ state: 'detached' });
  });
});
