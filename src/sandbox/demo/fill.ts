import type { Engine } from '../engine/engine.js';
import { checkCaptured } from '../input/captured-documents.js';
import { checkImport } from '../input/imported-documents.js';
import { prepareDocuments } from '../input/prepare-documents.js';
import { demoWorld } from './world.js';

/** Puts the made world into a sandbox that has no monitorings; any other is left as it is. */
export async function fillWithDemo(engine: Engine, now: Date): Promise<void> {
  if ((await engine.listMonitorings()).length > 0) return;
  const world = demoWorld(now);
  const ids: number[] = [];
  for (const monitoring of world.monitorings) {
    ids.push((await engine.createMonitoring(monitoring)).id);
  }
  const parts = [
    ...world.documents.map(({ monitoring, documents }) => ({
      monitoring,
      documents: checkCaptured(documents),
    })),
    ...world.reviews.map(({ monitoring, documents }) => ({
      monitoring,
      documents: checkImport({ documents }, Number.POSITIVE_INFINITY),
    })),
  ];
  for (const { monitoring, documents } of parts) {
    await engine.addDocuments(prepareDocuments(ids[monitoring] as number, documents), {
      duplicates: 'keep',
      hiddenForMs: 0,
    });
  }
}
