import { answer, Refusal, type SandboxContext } from '../answers.js';
import { readForm } from '../input/body.js';
import { type DocumentsCall, readDocumentsCall } from '../input/documents-call.js';
import type { SandboxSettings } from '../options.js';
import { findDocuments } from '../queries/find-documents.js';
import { findMonitoring } from '../store/monitorings.js';
import type { Store } from '../store/open-store.js';
import type { Route } from './route.js';

/** `POST /documents`, and its GET form with the same parameters in the address. */
export function documentRoutes(store: Store, settings: SandboxSettings): Route[] {
  const find = (c: SandboxContext, call: DocumentsCall): Response => {
    refuseUnknownMonitorings(store, call.filter.monitorings);
    return answer(c, findDocuments(store, call, settings.pageSize));
  };
  return [
    {
      path: '/documents',
      methods: {
        GET: (c) => find(c, readDocumentsCall(addressParameters(c))),
        POST: async (c) => {
          refuseAddressParameters(c);
          return find(c, readDocumentsCall(await readForm(c)));
        },
      },
    },
  ];
}

/** A wrong id must not look like a monitoring without documents. */
function refuseUnknownMonitorings(store: Store, ids: readonly number[]): void {
  const unknown = ids.filter((id) => !findMonitoring(store, id));
  if (unknown.length === 0) return;
  throw new Refusal(
    404,
    unknown.map((id) => `There is no monitoring ${id}.`),
  );
}

/** A filter in the wrong place must not be passed over: the answer would hold too much. */
function refuseAddressParameters(c: SandboxContext): void {
  const names = [...new Set(addressParameters(c).keys())];
  if (names.length === 0) return;
  throw new Refusal(
    400,
    names.map((name) => `${name.slice(0, 40)}: a POST takes its parameters from the body.`),
  );
}

function addressParameters(c: SandboxContext): URLSearchParams {
  const parameters = new URL(c.req.url).searchParams;
  parameters.delete('pretty');
  return parameters;
}
