import { answer } from '../answers.js';
import { readJson } from '../input/body.js';
import { checkImport } from '../input/imported-documents.js';
import { prepareDocuments } from '../input/prepare-documents.js';
import { monitoringOf } from './monitorings.js';
import type { House, Route } from './route.js';

/** `POST /monitorings/{id}/documents`: all documents of the call are stored, or none. */
export function importRoutes({ engine, settings }: House): Route[] {
  return [
    {
      path: '/monitorings/:id/documents',
      methods: {
        POST: async (c) => {
          const { id } = await monitoringOf(c, engine);
          const body = await readJson(c, settings.maxBodyBytes);
          const documents = checkImport(body, settings.maxDocuments);
          const prepared = prepareDocuments(documents);
          const { stored } = await engine.addDocuments(id, prepared, settings.duplicates);
          return answer(c, { accepted: true, documents: stored });
        },
      },
    },
  ];
}
