import type { Monitoring, MonitoringList } from '../service/resources.js';
import { type ApiRequest, ask } from './ask.js';
import { checkBody, checkId, filledList } from './checks.js';
import type { CallOptions, MonitoringCalls } from './client.js';
import { jsonBody, type Transport } from './transport/http-transport.js';

const SUMMARY = { id: 'integer', title: 'text', status: 'text' } as const;
const SEARCH = {
  id: 'integer',
  source: 'text',
  query: 'text',
  'language?': 'text',
  'includeComments?': 'boolean',
  'lastProcessed?': 'text',
} as const;
const MONITORING = { ...SUMMARY, searches: [SEARCH] } as const;
const LIST = { monitorings: [SUMMARY] } as const;

/** Creates the calls on monitorings. They check their arguments before they send. */
export function monitoringCalls(transport: Transport): MonitoringCalls {
  const call = (
    question: Pick<ApiRequest, 'method' | 'path' | 'body'>,
    options: CallOptions | undefined,
  ): Promise<Monitoring> => {
    const changes = question.method !== 'GET';
    return ask(transport, { ...question, changes, shape: MONITORING }, options);
  };
  const post = (path: string, value: unknown, options?: CallOptions): Promise<Monitoring> =>
    call({ method: 'POST', path, body: jsonBody(value) }, options);
  return {
    list: async (options) => {
      const question = { method: 'GET', path: '/monitorings', shape: LIST } as const;
      return (await ask<MonitoringList>(transport, question, options)).monitorings;
    },
    create: async (monitoring, options) => {
      checkBody('NewMonitoring', monitoring);
      return await post('/monitorings', monitoring, options);
    },
    get: async (id, options) => {
      checkId('id', id);
      return await call({ method: 'GET', path: `/monitorings/${id}` }, options);
    },
    rename: async (id, title, options) => {
      checkId('id', id);
      checkBody('NewTitle', { title });
      return await post(`/monitorings/${id}/title`, { title }, options);
    },
    addSearches: async (id, searches, options) => {
      checkId('id', id);
      checkBody('AddedSearches', { searches });
      return await post(`/monitorings/${id}/searches`, { searches }, options);
    },
    removeSearches: async (id, searchIds, options) => {
      checkId('id', id);
      for (const searchId of filledList('searchIds', searchIds)) checkId('searchIds', searchId);
      const path = `/monitorings/${id}/searches/${searchIds.join(',')}`;
      return await call({ method: 'DELETE', path }, options);
    },
  };
}
