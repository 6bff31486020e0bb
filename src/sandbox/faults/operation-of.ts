import type { Operation } from './plan.js';

/** What a request to either version is for; `undefined` for an address that is not there. */
export function operationOf(method: string, path: string): Operation | undefined {
  const [, version, address = ''] = /^\/([45]\.0)(\/.*)$/.exec(path) ?? [];
  const calls = version === '4.0' ? LEGACY_CALLS : CALLS;
  const call = calls.find(({ pattern }) => pattern.test(address));
  return call?.methods.includes(method) ? call.operation : undefined;
}

interface Call {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
  readonly operation: Operation;
}

const FILTERING = ['GET', 'POST'];

const CALLS: readonly Call[] = [
  { pattern: /^\/monitorings\/[^/]+\/documents$/, methods: ['POST'], operation: 'import' },
  {
    pattern: /^\/monitorings(\/[^/]+(\/title|\/searches(\/[^/]+)?)?)?$/,
    methods: ['GET', 'POST', 'DELETE'],
    operation: 'monitorings',
  },
  { pattern: /^\/documents$/, methods: FILTERING, operation: 'documents' },
  { pattern: /^\/documents\/feed$/, methods: FILTERING, operation: 'feed' },
  { pattern: /^\/documents\/[^/]+\/context$/, methods: ['POST'], operation: 'context' },
  { pattern: /^\/authors$/, methods: FILTERING, operation: 'authors' },
  { pattern: /^\/indicators$/, methods: FILTERING, operation: 'indicators' },
  { pattern: /^\/chart$/, methods: FILTERING, operation: 'chart' },
];

const LEGACY_CALLS: readonly Call[] = [
  { pattern: /^\/monitorings$/, methods: ['GET'], operation: 'monitorings' },
  { pattern: /^\/documents$/, methods: ['GET'], operation: 'documents' },
  { pattern: /^\/authors$/, methods: ['GET'], operation: 'authors' },
  { pattern: /^\/indicators$/, methods: ['GET'], operation: 'indicators' },
];
