import type { Monitoring, MonitoringList } from '../service/resources.js';
import { ask } from './ask.js';
import {
  checkId,
  checkIds,
  checkNewMonitoring,
  checkSearches,
  checkTitle,
  type Warn,
} from './checks.js';
import type { CallOptions, MonitoringCalls } from './client.js';
import { jsonBody, type Transport } from './transport/http-transport.js';

const SUMMARY = { id: 'integer', title: 'text', status: 'text' } as const;
const SEARCH = {
  id: 'integer',
  source: 'text',
  query: 'text',
  language: 'text?',
  includeComments: 'boolean?',
  lastProcessed: 'text?',
} as const;
const MONITORING = { ...SUMMARY, searches: { list: SEARCH } } as const;
const LIST = { monitorings: { list: SUMMARY } } as const;

/** Creates the calls on monitorings. They check their arguments before they send. */
export function monitoringCalls(transport: Transport, warn: Warn): MonitoringCalls {
  const post = (path: string, value: unknown, options?: CallOptions): Promise<Monitoring> => {
    const call = { method: 'POST', path, body: jsonBody(value), changes: true } as const;
    return ask(transport, { ...call, shape: MONITORING }, options);
  };
  return {
    list: async (options) => {
      const question = { method: 'GET', path: '/monitorings', shape: LIST } as const;
      return (await ask<MonitoringList>(transport, question, options)).monitorings;
    },
    create: async (monitoring, options) => {
      checkNewMonitoring(monitoring, warn);
      return await post('/monitorings', monitoring, options);
    },
    get: async (id, options) => {
      checkId('id', id);
      const question = { method: 'GET', path: `/monitorings/${id}`, shape: MONITORING } as const;
      return await ask<Monitoring>(transport, question, options);
    },
    rename: async (id, title, options) => {
      checkId('id', id);
      checkTitle(title);
      return await post(`/monitorings/${id}/title`, { title }, options);
    },
    addSearches: async (id, searches, options) => {
      checkId('id', id);
      checkSearches(searches, warn);
      return await post(`/monitorings/${id}/searches`, { searches }, options);
    },
    removeSearches: async (id, searchIds, options) => {
      checkId('id', id);
      checkIds('searchIds', searchIds);
      const path = `/monitorings/${id}/searches/${searchIds.join(',')}`;
      const question = { method: 'DELETE', path, shape: MONITORING, changes: true } as const;
      return await ask<Monitoring>(transport, question, options);
    },
  };
}
