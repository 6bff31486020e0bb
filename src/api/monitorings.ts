import type { Monitoring, MonitoringList } from '../service/resources.js';
import { type ApiRequest, ask } from './ask.js';
import {
  checkId,
  checkIds,
  checkNewMonitoring,
  checkSearches,
  checkTitle,
  type Warn,
} from './checks.js';
import type { MonitoringCalls } from './client.js';
import { type Body, jsonBody, type Transport } from './transport/http-transport.js';

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

/** The calls on monitorings, each checked before it is sent. */
export function monitoringCalls(transport: Transport, warn: Warn): MonitoringCalls {
  return {
    list: async (options) => {
      const question = { method: 'GET', path: '/monitorings', shape: LIST } as const;
      return (await ask<MonitoringList>(transport, question, options)).monitorings;
    },
    create: async (monitoring, options) => {
      checkNewMonitoring(monitoring, warn);
      const question = post('/monitorings', jsonBody(monitoring));
      return ask<Monitoring>(transport, question, options);
    },
    get: async (id, options) => {
      checkId('id', id);
      const question = { method: 'GET', path: `/monitorings/${id}`, shape: MONITORING } as const;
      return ask<Monitoring>(transport, question, options);
    },
    rename: async (id, title, options) => {
      checkId('id', id);
      checkTitle(title);
      const question = post(`/monitorings/${id}/title`, jsonBody({ title }));
      return ask<Monitoring>(transport, question, options);
    },
    addSearches: async (id, searches, options) => {
      checkId('id', id);
      checkSearches(searches, warn);
      const question = post(`/monitorings/${id}/searches`, jsonBody({ searches }));
      return ask<Monitoring>(transport, question, options);
    },
    removeSearches: async (id, searchIds, options) => {
      checkId('id', id);
      checkIds('searchIds', searchIds);
      const path = `/monitorings/${id}/searches/${searchIds.join(',')}`;
      const question = { method: 'DELETE', path, shape: MONITORING, changes: true } as const;
      return ask<Monitoring>(transport, question, options);
    },
  };
}

function post(path: string, body: Body): ApiRequest {
  return { method: 'POST', path, body, shape: MONITORING, changes: true };
}
