import type { PagePort } from './pages.js';
import { readWindow } from './read-window.js';
import { type Acknowledged, Sightings, type WindowsReading } from './sightings.js';
import type { RequestCase } from './unconfirmed-request.js';
import { covered, mergeWindows, type Window, windowAround } from './window.js';

/** Reads the windows of these cases once, and those of documents that show whether it can be trusted. */
export async function readCases(
  cases: readonly RequestCase[],
  settleMs: number,
  port: PagePort & { readonly acknowledged: () => readonly Acknowledged[] },
): Promise<WindowsReading> {
  const startedMs = port.clock.now();
  const acknowledged = port.acknowledged().filter((one) => one.acknowledgedMs <= startedMs);
  const sightings = new Sightings();
  for (const { soughtIds } of cases) for (const id of soughtIds) sightings.want(id);
  for (const { sourceId } of acknowledged) sightings.want(sourceId);
  const ready = cases.filter((one) => one.ready(startedMs, settleMs));
  const windows = withProofs(mergeWindows(cases.map(({ window }) => window)), ready, acknowledged);
  const read = await readWindows(windows, sightings, port);
  return { ...read, startedMs, endedMs: port.clock.now(), acknowledged, sightings };
}

/** Reads windows one after the other, as long as there is use in it. */
export async function readWindows(
  windows: readonly Window[],
  sightings: Sightings,
  port: PagePort,
): Promise<Pick<WindowsReading, 'complete' | 'broken' | 'ended'>> {
  const complete: Window[] = [];
  let broken: string | null = null;
  let ended = false;
  for (const window of windows) {
    if (ended) break;
    const reading = await readWindow(window, port, sightings.see);
    if (reading.complete) complete.push(window);
    else {
      broken ??= reading.message;
      ended = reading.ended;
    }
  }
  return { complete, broken, ended };
}

/** One more window for each case that can be decided and has no proof within them. */
function withProofs(
  cases: readonly Window[],
  ready: readonly RequestCase[],
  acknowledged: readonly Acknowledged[],
): readonly Window[] {
  let windows = cases;
  for (const one of ready) {
    const proofs = acknowledged
      .filter(one.isProof)
      .toSorted((a, b) => a.acknowledgedMs - b.acknowledgedMs);
    const within = proofs.some(({ published }) => covered(windowAround(published), windows));
    const proof = proofs.find(({ published }) => published !== null) ?? proofs[0];
    if (!within && proof) windows = mergeWindows([...windows, windowAround(proof.published)]);
  }
  return windows;
}
