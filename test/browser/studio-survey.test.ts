/** The checklist of a survey's answers, as a browser shows it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mainColumns } from '../../src/mapping/rules.js';
import { csv, FORM } from '../guess/survey-form.js';
import { startBrowser } from './browser.js';
import {
  choiceIn,
  editor,
  findingsIn,
  isProposed,
  openField,
  openStudioPage,
  openText,
  overflowAt,
} from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const checklist = (page: Page) => page.getByRole('group', { name: /^Which answers/ });
const box = (page: Page, column: string) => checklist(page).getByRole('checkbox', { name: column });

/** The mapping in the editor. */
async function mapping(page: Page) {
  return parse(await editor(page).inputValue());
}

/** The questions that the text joins, in its order. */
async function joined(page: Page): Promise<readonly string[]> {
  return mainColumns((await mapping(page)).document.text);
}

describe('the checklist of a survey', () => {
  it('is answered on one screen, with one click for each column that changes', async () => {
    const source = { name: 'event.csv', content: csv(FORM) };
    const { page, wrong } = await openStudioPage(browser, source);
    await isProposed(page);
    await openText(page);
    const before = await editor(page).inputValue();
    const all = await joined(page);
    expect(all).toHaveLength(11);
    expect(await checklist(page).getByRole('checkbox').count()).toBe(11);
    const first = checklist(page).getByRole('listitem').first();
    await first.getByText(/^proposed, \d+ words: .* when it came to the score \d+\.$/).waitFor();
    expect(await findingsIn(page)).toEqual([]);
    expect(await overflowAt(page, 1280)).toBe(0);

    const left = ['What should we stop doing?', 'How was the way to the venue?'];
    for (const column of left) await box(page, column).click();
    await expect.poll(() => joined(page)).toEqual(all.filter((one) => !left.includes(one)));
    expect((await mapping(page)).skip).toEqual([{ from: await joined(page), blank: true }]);
    expect(await editor(page).inputValue()).not.toContain('which answers are the review?');
    await checklist(page).getByText('9 of 11 are joined.').waitFor();
    await box(page, 'What should we stop doing?').click();
    await expect.poll(() => joined(page)).toEqual(all.filter((one) => one !== left[1]));

    await checklist(page)
      .getByRole('button', { name: `Only this: ${all[1]}` })
      .click();
    await box(page, 'What did you like least?').click();
    await expect.poll(() => joined(page)).toEqual(all.slice(1, 3));
    await checklist(page)
      .getByRole('button', { name: `As a tag: ${all[2]}` })
      .click();
    await expect.poll(async () => (await mapping(page)).document.tags).toContain(`{${all[2]}}`);
    expect(await joined(page)).toEqual(all.slice(1, 2));
    await checklist(page)
      .getByRole('button', { name: `As a tag: ${all[2]}` })
      .waitFor({ state: 'detached' });

    const other = 'Which days did you come?';
    await checklist(page).getByRole('button', { name: 'Another column is part of it' }).click();
    await choiceIn(page, other).click();
    await expect.poll(() => joined(page)).toContain(other);
    await box(page, other).click();
    await expect.poll(() => joined(page)).toEqual(all.slice(1, 2));

    await openField(page, 'text');
    expect(await box(page, 'What did you like most?').isChecked()).toBe(true);
    expect(await box(page, 'What did you like least?').isChecked()).toBe(false);
    for (let edit = 0; edit < 8; edit += 1) await page.keyboard.press('Control+z');
    await expect.poll(() => editor(page).inputValue()).toBe(before);
    await page.getByRole('button', { name: '← All fields' }).click();
    await checklist(page).getByRole('button', { name: 'Keep as it is' }).click();
    await checklist(page).waitFor({ state: 'detached' });
    await expect.poll(() => joined(page)).toEqual(all);
    expect(wrong).toEqual([]);
  });
});
