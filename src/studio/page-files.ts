/** The page itself: the same for everybody, and without any data. */
import { readFile } from 'node:fs/promises';
import type { StudioApp } from './app.js';
import { StudioRefusal } from './refusal.js';

/** Where the build puts them; sources and build output lie equally deep. */
const FOLDER = new URL('../../dist/studio/web/', import.meta.url);

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/app.css': ['app.css', 'text/css; charset=utf-8'],
};

/** Serves these files, and no others. */
export function pageFiles(app: StudioApp): void {
  for (const [path, [name, type]] of Object.entries(FILES)) {
    app.get(path, async (c) =>
      c.body(new Uint8Array(await read(name)), 200, { 'content-type': type }),
    );
  }
  // Browsers ask for it unasked.
  app.get('/favicon.ico', (c) => c.body(null, 204));
}

async function read(name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(name, FOLDER));
  } catch {
    throw new StudioRefusal(500, 'The page is not built: run npm run build.');
  }
}
