import { SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/index.js';
import {
  type ImportOptions,
  importDocuments,
  type Report,
  validateDocuments,
} from '../../src/index.js';
import { json, startServer } from '../helpers/http-server.js';
import { minimalMapping } from '../helpers/reviews.js';
import { basic, startWithMonitoring } from '../helpers/start-sandbox.js';
import { registerSdk, treeOf } from './registered.js';

const mapping = minimalMapping();
const ROWS = [1, 2, 3, 4, 5].map((id) => ({ id: `${id}`, text: id === 3 ? '' : `Text ${id}` }));

/** One document a request, one at a time. */
const SINGLY = { batchSize: 1, concurrency: 1 } as const;

function importInto(connection: ImportOptions['connection'], more: Partial<ImportOptions> = {}) {
  const options = { input: ROWS, mapping, monitoring: 1, connection, ...SINGLY };
  return importDocuments({ stateDir: false, ...options, throwOn: 'never', ...more });
}

const TREE = ['docferry.import', '  GET', ...Array<string>(4).fill('  POST')];

describe('an import', () => {
  it("is a span, with the requests that undici's instrumentation reports below it", async () => {
    const sdk = registerSdk();
    const report = await importInto(await startWithMonitoring());
    expect(treeOf(sdk.spans())).toEqual(TREE);
    const [run] = sdk.named('docferry.import');
    expect(run?.attributes).toEqual({
      'docferry.run.id': report.run,
      'docferry.run.status': 'finished',
      'docferry.run.exit_code': 1,
      'docferry.run.batches': 4,
      'docferry.run.retries': 0,
      'docferry.monitoring': 1,
      'docferry.mapping': 'Reviews',
      'docferry.records.read': 5,
      'docferry.records.accepted': 4,
      'docferry.records.invalid': 1,
    });
    expect(run?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('has requests of its own when several run at the same time', async () => {
    const sdk = registerSdk();
    const sandboxes = await Promise.all([startWithMonitoring(), startWithMonitoring()]);
    await Promise.all(sandboxes.map((sandbox) => importInto(sandbox)));
    expect(treeOf(sdk.spans())).toEqual([...TREE, ...TREE]);
  });

  it('counts what the report counts', async () => {
    const sdk = registerSdk();
    const reports: Report[] = [];
    for (const _ of [1, 2]) reports.push(await importInto(await startWithMonitoring()));
    const points = await sdk.points('docferry.documents');
    const counted = points.map(({ attributes, value }) => [attributes['docferry.outcome'], value]);
    const sum = (outcome: 'accepted' | 'invalid'): number =>
      reports.reduce((total, { counts }) => total + counts[outcome], 0);
    expect(Object.fromEntries(counted)).toEqual({
      accepted: sum('accepted'),
      invalid: sum('invalid'),
    });
  });

  it('has failed where it stopped, and says why', async () => {
    const sdk = registerSdk();
    await importInto({ ...(await startWithMonitoring()), baseUrl: 'http://127.0.0.1:1/5.0' });
    const [run] = sdk.named('docferry.import');
    expect(run?.attributes).toMatchObject({
      'error.type': 'service-down',
      'docferry.run.exit_code': 4,
    });
    expect(run?.status).toMatchObject({
      code: SpanStatusCode.ERROR,
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('has failed where it could not start', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    await expect(importInto(sandbox, { input: 'no-such.csv' })).rejects.toThrow(/no-such/);
    const [run] = sdk.named('docferry.import');
    expect(run?.attributes['error.type']).toBe('SourceError');
    expect(run?.status.code).toBe(SpanStatusCode.ERROR);
    expect(run?.events).toMatchObject([{ name: 'exception' }]);
  });

  it('shows the API key in no span', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    await importInto({ ...sandbox, apiKey: 'a-wrong-key' });
    await importInto(sandbox);
    const reported = JSON.stringify(
      sdk.spans().map(({ attributes, events, status }) => [attributes, events, status]),
    );
    expect(sdk.spans()).toHaveLength(2 + TREE.length);
    for (const secret of ['a-wrong-key', sandbox.apiKey, basic(sandbox.username, sandbox.apiKey)]) {
      expect(reported).not.toContain(secret);
    }
  });

  it('carries its trace to the service', async () => {
    const sdk = registerSdk();
    const traces: unknown[] = [];
    const { baseUrl } = await startServer(({ headers, method }, response) => {
      traces.push(headers['traceparent']);
      json(response, 200, method === 'GET' ? { id: 1 } : { accepted: true, documents: 1 });
    });
    await importInto({ ...(await startWithMonitoring()), baseUrl });
    const requests = sdk.spans().filter(({ name }) => name !== 'docferry.import');
    const ids = requests.map((span) => span.spanContext());
    expect(traces).toEqual(ids.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
  });
});

describe('the parent of an import', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';

  /** Sets a trace in the environment for the running test, as a traced scheduler does. */
  function setTrace(): void {
    process.env['TRACEPARENT'] = `00-${TRACE}-b7ad6b7169203331-01`;
    process.env['TRACESTATE'] = 'vendor=a';
    onTestFinished(() => {
      for (const name of ['TRACEPARENT', 'TRACESTATE']) delete process.env[name];
    });
  }

  it('is what the environment names', async () => {
    const sdk = registerSdk();
    setTrace();
    await importInto(await startWithMonitoring());
    const [run] = sdk.named('docferry.import');
    expect(run?.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
    for (const span of sdk.spans()) {
      expect(span.spanContext().traceId).toBe(TRACE);
      expect(span.spanContext().traceState?.serialize()).toBe('vendor=a');
    }
  });

  it('is the active span, if there is one', async () => {
    const sdk = registerSdk();
    setTrace();
    const sandbox = await startWithMonitoring();
    await trace.getTracer('program').startActiveSpan('nightly', async (span) => {
      await importInto(sandbox);
      span.end();
    });
    expect(treeOf(sdk.spans())).toEqual(['nightly', ...TREE.map((name) => `  ${name}`)]);
  });
});

it('a validation is a span of its own', async () => {
  const sdk = registerSdk();
  await validateDocuments({ input: ROWS, mapping, throwOn: 'never' });
  expect(treeOf(sdk.spans())).toEqual(['docferry.validate']);
  expect(sdk.spans()[0]?.attributes).toMatchObject({ 'docferry.records.unsent': 4 });
});

it("a call of the client is a span of undici's instrumentation", async () => {
  const sdk = registerSdk();
  await using client = createClient(await startWithMonitoring());
  await trace.getTracer('program').startActiveSpan('dashboard', async (span) => {
    await client.monitorings.list();
    span.end();
  });
  expect(treeOf(sdk.spans())).toEqual(['dashboard', '  GET']);
});

it('nothing is registered by an import itself', async () => {
  const registry = Symbol.for('opentelemetry.js.api.1');
  Reflect.deleteProperty(globalThis, registry);
  await importInto(await startWithMonitoring());
  expect(registry in globalThis).toBe(false);
});
