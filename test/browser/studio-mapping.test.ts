/** A mapping made in the studio without a look at its text, by keyboard. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../helpers/markdown.js';
import { docferry } from '../helpers/run-cli.js';
import { startBrowser } from './browser.js';
import { type Hand, keyboard } from './hand.js';
import { isProposed, openStudioPage } from './studio-page.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

interface Journey {
  readonly name: string;
  readonly content: string;
  /** Changes the guess until the mapping is as it should be. */
  make(at: Steps): Promise<void>;
  /** Expected parts of the saved mapping. */
  readonly makes: object;
}

/** What a person does on the map screen. */
class Steps {
  readonly page: Page;
  readonly hand: Hand;

  constructor(page: Page, hand: Hand) {
    this.page = page;
    this.hand = hand;
  }

  async open(field: string): Promise<void> {
    const button = this.page.locator('.field-button').filter({ hasText: field }).first();
    await this.hand.press(button);
    await this.page.getByRole('heading', { name: field }).waitFor();
  }

  async add(field: string): Promise<void> {
    await this.hand.choose(this.page.getByRole('button', { name: 'Add a field' }), field);
  }

  async close(): Promise<void> {
    await this.hand.press(this.page.getByRole('button', { name: '← All fields' }));
    await this.page.getByRole('button', { name: 'Add a field' }).waitFor();
  }

  async join(column: string): Promise<void> {
    await this.hand.choose(this.page.getByRole('button', { name: 'Join another column' }), column);
    await expect.poll(() => this.rule()).toContain(column);
  }

  async format(label: string): Promise<void> {
    await this.hand.press(this.page.getByRole('radio', { name: label }));
    await expect.poll(() => this.page.getByRole('radio', { name: label }).isChecked()).toBe(true);
  }

  async write(label: string | RegExp, text: string): Promise<void> {
    await this.hand.write(this.page.getByLabel(label, { exact: true }), text);
  }

  /** Answers the first open question of the open field. */
  async answer(label: string): Promise<void> {
    const questions = this.page.locator('.question');
    const before = await this.page.locator('header .todo').textContent();
    await this.hand.press(questions.getByRole('button', { name: label }).first());
    await expect
      .poll(async () => (await this.page.locator('header .todo').allTextContents())[0])
      .not.toBe(before);
  }

  rule(): Promise<string> {
    return this.page.locator('.field-panel > code').innerText();
  }
}

function csv(header: string, rows: readonly string[]): string {
  return `${[header, ...rows].join('\n')}\n`;
}

const WORDS = ['staff', 'breakfast', 'room', 'view', 'garden', 'lift', 'pool', 'bar'];
const sentence = (n: number, about: string): string =>
  `${about} the ${WORDS[n % WORDS.length]} was ${n % 3 === 0 ? 'poor and rather loud' : 'lovely and very quiet'} on day ${n}`;
const day = (n: number): string => `${(n % 12) + 1}/${((n * 5) % 12) + 1}/2025`;

const JOURNEYS: readonly Journey[] = [
  {
    name: 'a survey with three open questions',
    content: csv(
      'Response;Submitted;What went well?;What went badly?;Anything else?;Likelihood;Name',
      Array.from(
        { length: 24 },
        (_, n) =>
          `R-${n + 100};2025-03-${String(n + 1).padStart(2, '0')} 10:00;${sentence(n, 'Well')};${n % 4 === 0 ? '' : sentence(n, 'Badly')};${sentence(n, 'Also')};${n % 11};Guest ${n}`,
      ),
    ),
    async make(at) {
      await at.open('Review text');
      await at.hand.press(at.page.getByRole('button', { name: 'Leave out What went well?' }));
      await expect.poll(() => at.rule()).not.toContain('What went well?');
      await at.join('What went well?');
      await at.hand.press(at.page.getByRole('button', { name: 'Move What went well? up' }));
      await expect.poll(() => at.rule()).toMatch(/badly.*well.*else/);
      await at.hand.select(at.page.getByLabel('Between them'), 'a new line');
      await expect.poll(() => at.rule()).toContain('"with":"\\n"');
      await at.close();
      await at.add('Tag');
      await at.write('Or the same for every record', 'survey');
      await expect.poll(() => at.rule()).toBe('survey');
      await at.close();
    },
    makes: {
      document: expect.objectContaining({
        text: expect.objectContaining({
          join: [
            expect.stringContaining('What went badly?'),
            expect.stringContaining('What went well?'),
            expect.stringContaining('Anything else?'),
          ],
          with: '\n',
        }),
        tags: expect.arrayContaining(['survey']),
      }),
    },
  },
  {
    name: 'stars as signs, and days that may be months',
    content: csv(
      'no,When,Stars,Opinion,Who,Status',
      Array.from(
        { length: 12 },
        (_, n) =>
          `${n + 1},${day(n)},${'★'.repeat((n % 5) + 1)},${sentence(n, 'Here')},Guest ${n},${n === 3 ? 'deleted' : 'ok'}`,
      ),
    ),
    async make(at) {
      const { page, hand } = at;
      await at.open('Date written');
      await at.format('Month first');
      await at.close();
      await at.open('Sentiment');
      await at.hand.press(page.getByRole('button', { name: 'Remove', exact: true }));
      await expect.poll(() => at.rule()).not.toContain('bands');
      await at.hand.press(page.getByRole('button', { name: 'Add thresholds' }));
      await expect.poll(() => at.rule()).toContain('"B":4');
      await at.write('Good from', '5');
      await expect.poll(() => at.rule()).toContain('"B":5');
      await at.close();
      for (let record = 1; record < 4; record += 1) {
        await hand.press(page.getByRole('button', { name: 'Next record' }));
        await page.getByText(`${record + 1} of 12`).waitFor();
      }
      await hand.press(page.getByRole('button', { name: 'Status', exact: true }));
      await hand.press(
        page.getByRole('button', { name: 'Leave out records with Status = deleted' }),
      );
      await page.getByText('Status is "deleted"', { exact: true }).waitFor();
      await page.getByRole('link', { name: '1 skipped' }).waitFor();
    },
    makes: {
      document: expect.objectContaining({
        published: expect.objectContaining({ date: expect.stringMatching(/^M/) }),
        sentiment: expect.objectContaining({ bands: expect.objectContaining({ B: 5 }) }),
      }),
      skip: expect.arrayContaining([{ from: 'Status', in: ['deleted'] }]),
    },
  },
  {
    name: 'dates like "2 weeks ago"',
    content: csv(
      'Author,Posted,Rating,Review',
      Array.from(
        { length: 12 },
        (_, n) => `Guest ${n},${n + 2} weeks ago,${(n % 5) + 1},${sentence(n, 'Well')}`,
      ),
    ),
    async make(at) {
      await at.write(/^It was on/, '2025-11-29');
      await at.answer('Use it');
      await at.open('Date written');
      const day = at.page.getByLabel('Day of the export');
      await expect.poll(() => day.inputValue()).toBe('2025-11-29');
      await at.write('Day of the export', '2025-11-30');
      await at.close();
      await at.page.locator('.review').getByText('16 Nov 2025').waitFor();
    },
    makes: {
      document: expect.objectContaining({
        published: expect.objectContaining({ asOf: 'if-stated' }),
      }),
    },
  },
  {
    name: 'an export of bookings',
    content: csv(
      'Reservation number,Guest name,Review date,Review title,Positive review,Negative review,Review score,Country',
      Array.from(
        { length: 20 },
        (_, n) =>
          `${98100 + n * 7},${n === 4 ? '' : `Guest ${n}`},2025-04-${n + 10} 12:30,Stay ${n},${sentence(n, 'Well')},${n % 2 ? '' : sentence(n, 'But')},${(n % 9) + 1}.5,${n % 2 ? 'Spain' : 'France'}`,
      ),
    ),
    async make(at) {
      await at.open('Author name');
      await at.write('Use this value', 'Anonymous');
      await expect.poll(() => at.rule()).toContain('"else":"Anonymous"');
      await at.close();
      await at.open('Rating');
      await at.write('Highest', '20');
      await expect.poll(() => at.rule()).toContain('20]');
      await at.close();
      await at.hand.choose(at.page.getByRole('button', { name: 'Add a condition' }), 'Country');
      await at.hand.choose(at.page.getByRole('button', { name: 'Choose a value' }), 'France');
      await at.page.getByText('Country is "France"').waitFor();
    },
    makes: {
      skip: expect.arrayContaining([{ from: 'Country', in: ['France'] }]),
      document: expect.objectContaining({
        author: expect.objectContaining({
          username: { from: 'Guest name', else: 'Anonymous' },
        }),
      }),
    },
  },
];

describe('from a fresh guess to a valid mapping by keyboard', () => {
  it.each(JOURNEYS)('for $name', async ({ content, make, makes }) => {
    const name = content.startsWith('[') ? 'r.json' : 'r.csv';
    const { page, file, mapping, wrong } = await openStudioPage(browser, { name, content });
    await isProposed(page);
    const at = new Steps(page, keyboard(page));
    await make(at);
    while ((await page.locator('.question').count()) > 0) await at.answer('Keep as it is');
    await page.getByRole('link', { name: '0 invalid' }).waitFor();
    await at.hand.press(page.getByRole('button', { name: 'Save…' }));
    await at.hand.press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.locator('header').getByText('saved', { exact: true }).waitFor();
    expect(parse(readFileSync(mapping, 'utf8'))).toMatchObject(makes);
    const ended = await docferry(['validate', file, '-m', mapping], { cwd: ROOT });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(wrong).toEqual([]);
  });
});
