import type { DoubtCase } from './doubt-case.js';
import type { Look } from './look.js';
import type { ReadBackPort } from './port.js';
import { readWindow } from './read-window.js';
import { Sightings } from './sightings.js';
import { covered, mergeWindows, type Window, windowOf } from './window.js';

/** Reads the windows of these cases once, and those of documents that show whether it can be trusted. */
export async function takeLook(
  cases: readonly DoubtCase[],
  quietMs: number,
  port: ReadBackPort,
): Promise<Look> {
  const startedMs = port.clock.now();
  const acknowledged = port.acknowledged().filter((one) => one.acknowledgedMs <= startedMs);
  const wanted = [
    ...cases.flatMap(({ soughtIds }) => soughtIds),
    ...acknowledged.map(({ sourceId }) => sourceId),
  ];
  const sightings = new Sightings(port.source, new Set(wanted));
  const complete: Window[] = [];
  let broken: string | null = null;
  let ended = false;
  for (const window of windowsFor(cases, { startedMs, quietMs, acknowledged })) {
    if (ended) break;
    const reading = await readWindow(window, port, sightings.see);
    if (reading.complete) complete.push(window);
    else {
      broken ??= reading.message;
      ended = reading.ended;
    }
  }
  return {
    startedMs,
    endedMs: port.clock.now(),
    complete,
    broken,
    ended,
    acknowledged,
    times: (sourceId) => sightings.times(sourceId),
  };
}

/** The cases' windows, and one more for each that can be decided and has no proof within them. */
function windowsFor(
  cases: readonly DoubtCase[],
  {
    startedMs,
    quietMs,
    acknowledged,
  }: Pick<Look, 'startedMs' | 'acknowledged'> & { quietMs: number },
): readonly Window[] {
  let windows = mergeWindows(cases.map(({ window }) => window));
  for (const one of cases) {
    if (!one.ready(startedMs, quietMs)) continue;
    const proofs = acknowledged
      .filter(one.isProof)
      .toSorted((a, b) => a.acknowledgedMs - b.acknowledgedMs);
    const within = proofs.some(({ published }) => covered(windowOf(published), windows));
    const proof = proofs.find(({ published }) => published !== null) ?? proofs[0];
    if (!within && proof) windows = mergeWindows([...windows, windowOf(proof.published)]);
  }
  return windows;
}
