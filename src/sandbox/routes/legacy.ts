import type { DocumentsPage } from '../../service/resources.js';
import { answer } from '../answers.js';
import type { Operation } from '../faults/plan.js';
import { readAddress } from '../input/body.js';
import { readAuthorsCall, readDocumentsCall, readFiltersCall } from '../input/documents-call.js';
import { legacyAuthors, legacyDocuments } from '../queries/legacy.js';
import { type Find, refuseUnknown } from './filtering.js';
import type { House, Route } from './route.js';

/** Version 4.0: GET only, with the filters in the address. */
export function legacyRoutes(house: House): Route[] {
  const { engine, settings } = house;
  const { pageSize: limit } = settings;
  return [
    legacyRoute('/monitorings', 'monitorings', async () => {
      const monitorings = await engine.listMonitorings();
      return { monitorings: monitorings.map(({ id, title }) => ({ id, title })) };
    }),
    legacyRoute('/documents', 'documents', async (parameters) => {
      const { filter, ranking, offset } = readDocumentsCall(parameters);
      const known = await refuseUnknown(engine, filter);
      const page = await engine.findDocuments(known, { ranking, offset, limit });
      return legacyDocuments(JSON.parse(page) as DocumentsPage);
    }),
    legacyRoute('/authors', 'authors', async (parameters) => {
      const { filter, ranking, offset } = readAuthorsCall(parameters);
      const known = await refuseUnknown(engine, filter);
      return legacyAuthors(await engine.rankAuthors(known, { ranking, offset, limit }));
    }),
    legacyRoute('/indicators', 'indicators', async (parameters) =>
      engine.countIndicators(await refuseUnknown(engine, readFiltersCall(parameters)), '4.0'),
    ),
  ];
}

function legacyRoute(path: string, operation: Operation, find: Find): Route {
  return { path, operation, methods: { GET: async (c) => answer(c, await find(readAddress(c))) } };
}
