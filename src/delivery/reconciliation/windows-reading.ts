import type { Acknowledged, PublishedWindow } from '../../model/documents.js';
import { type BrokenReading, readWindow } from './read-window.js';
import type { PagePort } from './service-pages.js';
import { Sightings } from './sightings.js';
import { covered, mergeWindows, touches, type Width, type Window, windowAround } from './window.js';

export class WindowsReading {
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** Documents that should show in the windows if they were acknowledged long enough ago. */
  readonly acknowledged: Acknowledged[] = [];
  readonly sightings = new Sightings();
  /** Windows read completely. */
  readonly complete: Window[] = [];
  /** Why a window couldn't be read; `undefined` if all were. */
  broken: BrokenReading | undefined;

  /** @param acknowledged one document of each request that was acknowledged before `startedMs` */
  constructor(startedMs: number, acknowledged: readonly Acknowledged[]) {
    this.startedMs = startedMs;
    this.expect(acknowledged);
  }

  expect(acknowledged: readonly Acknowledged[]): void {
    for (const document of acknowledged) {
      this.sightings.want(document.sourceId);
      this.acknowledged.push(document);
    }
  }

  /** Reads windows one after the other, until one shows that reading can't succeed. */
  async read(windows: readonly Window[], port: PagePort): Promise<void> {
    for (const window of windows) {
      if (this.broken?.ended) return;
      if (covered(window, this.complete)) continue;
      const reading = await readWindow(window, port, (document) => this.sightings.add(document));
      if (reading.complete) this.complete.push(window);
      else this.broken = { ...reading, isDown: reading.isDown || this.broken?.isDown === true };
    }
  }

  covers(published: PublishedWindow | null, width: Width): boolean {
    return covered(windowAround(published, width), this.complete);
  }
}

/** Enough acknowledged documents to show whether the service changes sourceIds. */
const MIN_CONTROLS = 100;

/**
 * Expects a reading to show all acknowledged documents of its windows: if it lacks some, absence proves
 * nothing. If these are few, adds the windows of further requests, the shortest first.
 * @param due one document of each request that was acknowledged longer ago than the settle time
 * @returns the windows to read
 */
export function withControls(
  windows: readonly Window[],
  due: readonly Acknowledged[],
  reading: WindowsReading,
): readonly Window[] {
  const further = due
    .filter(({ request }) => request.published !== null)
    .map(({ request }) => windowAround(request.published, 'wide'))
    .toSorted((a, b) => a.to - a.from - (b.to - b.from));
  let wider = windows;
  let controls = documentsWithin(wider, due);
  for (const window of further) {
    if (controls.length >= MIN_CONTROLS) break;
    if (covered(window, wider)) continue;
    wider = mergeWindows([...wider, window]);
    controls = documentsWithin(wider, due);
  }
  reading.expect(controls);
  return wider;
}

/** Returns all documents of acknowledged requests that should show in the windows. */
export function documentsWithin(
  windows: readonly Window[],
  due: readonly Acknowledged[],
): readonly Acknowledged[] {
  return due
    .filter(({ request }) => touches(request.published, windows))
    .flatMap((one) => one.request.documents().map((document) => ({ ...one, ...document })))
    .filter(({ published }) => covered(windowAround(published, 'wide'), windows));
}
