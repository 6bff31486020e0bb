import type { Operation } from './plan.js';

/** What a request to either version is for; `undefined` for an address that is not there. */
export function operationOf(method: string, path: string): Operation | undefined {
  const address = path.replace(/^\/[45]\.0(?=\/)/, '');
  if (address === path) return undefined;
  const call = CALLS.find(({ pattern }) => pattern.test(address));
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
  { pattern: /^\/documents\/[^/]+\/context$/, methods: FILTERING, operation: 'context' },
  { pattern: /^\/authors$/, methods: FILTERING, operation: 'authors' },
  { pattern: /^\/indicators$/, methods: FILTERING, operation: 'indicators' },
  { pattern: /^\/chart$/, methods: FILTERING, operation: 'chart' },
];
