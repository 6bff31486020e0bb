import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { choiceIn, tabTo } from './studio-page.js';

/** Works a page without a mouse, with which the other tests work. */
export interface Hand {
  /** Presses a button, follows a link, or chooses a radio button. */
  press(target: Locator): Promise<void>;
  /** Opens a list of choices and takes one of them. */
  choose(list: Locator, choice: string): Promise<void>;
  /** Takes an option of a `<select>`. */
  select(target: Locator, option: string): Promise<void>;
  /** Replaces the text of an input. */
  write(target: Locator, text: string): Promise<void>;
}

export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  return {
    press: async (target) => {
      await target.waitFor();
      const isRadio = (await target.getAttribute('type')) === 'radio';
      if (!isRadio) await tabTo(page, target);
      else await tabToRadio(page, target);
      if (!isRadio) await keys.press('Enter');
    },
    choose: async (list, choice) => {
      await list.waitFor();
      await tabTo(page, list);
      await keys.press('Enter');
      await keys.type(choice);
      await choiceIn(page, choice).waitFor();
      await keys.press('Enter');
    },
    select: async (target, option) => {
      await target.waitFor();
      await tabTo(page, target);
      await keys.type(option);
    },
    write: async (target, text) => {
      await target.waitFor();
      await tabTo(page, target);
      const isDate = (await target.getAttribute('type')) === 'date';
      const [year, month, day] = text.split('-');
      if (!isDate) await keys.press('Control+a');
      await keys.type(isDate ? `${month}${day}${year}` : text);
      await keys.press('Tab');
    },
  };
}

/** Tab leads into a group of radio buttons, and arrows to each of them. */
async function tabToRadio(page: Page, target: Locator): Promise<void> {
  const group = page.locator(`input[name="${await target.getAttribute('name')}"]`);
  const checked = page.locator(`input[name="${await target.getAttribute('name')}"]:checked`);
  await tabTo(page, (await checked.count()) > 0 ? checked : group.first());
  if ((await checked.count()) === 0) await page.keyboard.press(' ');
  for (let presses = 0; presses < 20 && !(await target.isChecked()); presses += 1) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => checked.count()).toBe(1);
  }
}
