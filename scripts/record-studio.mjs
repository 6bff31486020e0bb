// @ts-check
// Records docs/studio.svg: a mapping made in the studio, screen by screen, as a browser shows it.
// Needs `npm run build` and chromium in the PATH: `node scripts/record-studio.mjs`.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VIEW = { width: 1080, height: 660 };
const SECONDS = 3.5;
/** Of JPEG, in percent. */
const QUALITY = 32;

const folder = mkdtempSync(path.join(tmpdir(), 'docferry-recording-'));
copyFileSync(path.join(ROOT, 'samples/hotel-reviews.csv'), path.join(folder, 'reviews.csv'));
const main = path.join(ROOT, 'dist/cli/main.js');
const studio = spawn(process.execPath, [main, 'studio', 'reviews.csv', '--no-open'], {
  cwd: folder,
});
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const address = await printedAddress();
  writeFileSync(path.join(ROOT, 'docs/studio.svg'), drawing(await record(address)));
} finally {
  await browser.close();
  studio.kill();
  rmSync(folder, { recursive: true });
}

/** @returns {Promise<string>} */
function printedAddress() {
  return new Promise((resolve) => {
    let printed = '';
    for (const output of [studio.stdout, studio.stderr]) {
      output.on('data', (text) => {
        printed += text;
        const address = /http:\/\/\S+/.exec(printed)?.[0];
        if (address !== undefined) resolve(address);
      });
    }
  });
}

/**
 * Goes through the screens; returns a picture of each.
 * @param {string} address
 */
async function record(address) {
  const page = await browser.newPage({ viewport: VIEW });
  const pictures = /** @type {string[]} */ ([]);
  const shoot = async () => {
    const picture = await page.screenshot({ type: 'jpeg', quality: QUALITY });
    pictures.push(picture.toString('base64'));
  };
  /** @param {string} name */
  const show = (name) => page.getByRole('navigation').getByRole('link', { name }).click();

  await page.goto(address);
  await page.getByRole('region', { name: 'Document' }).locator('article').first().waitFor();
  await shoot();
  await page.locator('[data-open="sentiment"]').click();
  await page.locator('.field-panel').waitFor();
  await shoot();
  await page.keyboard.press('Escape');
  await show('Records');
  await page.getByRole('table').first().waitFor();
  await shoot();
  await show('Check');
  await page.getByRole('button', { name: 'Check the whole file' }).click();
  await page.frameLocator('iframe').locator('h1').first().waitFor();
  await shoot();
  return pictures;
}

/**
 * Shows pictures one after the other; without motion, the first.
 * @param {readonly string[]} pictures
 */
function drawing(pictures) {
  const { width, height } = VIEW;
  const total = pictures.length * SECONDS;
  const share = 100 / pictures.length;
  const styles = pictures.map((_, at) => `.p${at}{animation-delay:${at * SECONDS}s}`);
  const images = pictures.map(
    (picture, at) =>
      `<image class="p${at}" width="${width}" height="${height}" href="data:image/jpeg;base64,${picture}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>The mapping studio: fields, a choice, records, and the check of the whole file</title>
<style>
image{opacity:0}.p0{opacity:1}
@media (prefers-reduced-motion:no-preference){
image{opacity:0;animation:show ${total}s step-end infinite}
@keyframes show{0%{opacity:1}${share}%{opacity:0}100%{opacity:0}}
${styles.join('\n')}
}
</style>
${images.join('\n')}
</svg>
`;
}
