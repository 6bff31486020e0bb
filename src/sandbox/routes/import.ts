import { answer, type SandboxContext } from '../answers.js';
import { importFate } from '../faults/import-fate.js';
import { readJson } from '../input/body.js';
import { checkImport } from '../input/imported-documents.js';
import { prepareDocuments } from '../input/prepare-documents.js';
import { monitoringOf } from './monitorings.js';
import type { House, Route } from './route.js';

/** `POST /monitorings/{id}/documents`: all documents of the call are stored, or none. */
export function importRoutes(house: House): Route[] {
  return [
    {
      path: '/monitorings/:id/documents',
      operation: 'import',
      methods: { POST: async (c) => answer(c, await importInto(c, house)) },
    },
  ];
}

/** What a plan of faults says of this import is heeded on the way. */
async function importInto(
  c: SandboxContext,
  { engine, settings }: House,
): Promise<{ accepted: boolean; documents: number }> {
  const fate = importFate(c);
  const { id } = await monitoringOf(c, engine);
  const body = await readJson(c, Math.min(settings.maxBodyBytes, fate.maxBytes));
  const given = checkImport(body, Math.min(settings.maxDocuments, fate.maxDocuments));
  const stored = await engine.addDocuments(prepareDocuments(id, fate.take(given)), {
    duplicates: settings.duplicates,
    hiddenForMs: fate.visibleAfterMs,
  });
  fate.refuse(given);
  return { accepted: true, documents: fate.count(given.length, stored) };
}
