import { answer } from '../answers.js';
import { readJson } from '../input/body.js';
import { checkImport } from '../input/imported-documents.js';
import type { SandboxSettings } from '../options.js';
import { importDocuments } from '../store/documents.js';
import type { Store } from '../store/open-store.js';
import { monitoringOf } from './monitorings.js';
import type { Route } from './route.js';

/** `POST /monitorings/{id}/documents`: all documents of the call are stored, or none. */
export function importRoutes(store: Store, settings: SandboxSettings): Route[] {
  return [
    {
      path: '/monitorings/:id/documents',
      methods: {
        POST: async (c) => {
          const monitoring = monitoringOf(c, store);
          const body = await readJson(c, settings.maxBodyBytes);
          const documents = checkImport(body, settings.maxDocuments);
          const stored = importDocuments(store, monitoring.id, documents, settings.duplicates);
          return answer(c, { accepted: true, documents: stored });
        },
      },
    },
  ];
}
