import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import type { Histogram } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ImportOptions,
  importDocuments,
  type Report,
  validateDocuments,
} from '../../src/index.js';
import { openTelemetry } from '../../src/telemetry/open-telemetry.js';
import { startServer } from '../helpers/http-server.js';
import { longTest } from '../helpers/runs.js';
import { basic, startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';
import { registerSdk, treeOf } from './registered.js';

const mapping = {
  name: 'Reviews',
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
} as const;
const ROWS = [1, 2, 3, 4, 5].map((id) => ({ id: `${id}`, text: id === 3 ? '' : `Text ${id}` }));

/** One document a request, one at a time. */
const SINGLY = { batchSize: 1, concurrency: 1 } as const;

function importInto(connection: ImportOptions['connection'], more: Partial<ImportOptions> = {}) {
  const options = { input: ROWS, mapping, monitoring: 1, connection, ...SINGLY };
  return importDocuments({ ...options, throwOn: 'never', ...more });
}

/** A way to a sandbox on which the headers are seen. */
async function seenOnTheWay(sandbox: TestSandbox) {
  const headers: IncomingHttpHeaders[] = [];
  const { origin } = new URL(sandbox.baseUrl);
  const { baseUrl } = await startServer(async (request, response, body) => {
    headers.push(request.headers);
    const passed = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(passed.status, { 'content-type': 'application/json' });
    response.end(await passed.text());
  });
  const { username, apiKey } = sandbox;
  return { headers, connection: { baseUrl, username, apiKey } };
}

/** Sets variables of the environment for the running test. */
function setEnvironment(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });
}

const POST = 'POST /monitorings/{id}/documents';
const TREE = ['docferry.import', '  GET /monitorings/{id}', ...Array<string>(4).fill(`  ${POST}`)];

describe('an import', () => {
  it('is a span with its requests, in the terms of the conventions', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    const report = await importInto(sandbox);
    expect(treeOf(sdk.spans())).toEqual(TREE);
    const [run] = sdk.named('docferry.import');
    expect(run?.attributes).toMatchObject({
      'docferry.run.id': report.run,
      'docferry.run.status': 'finished',
      'docferry.run.exit_code': 1,
      'docferry.monitoring': 1,
      'docferry.mapping': 'Reviews',
      'docferry.records.accepted': 4,
      'docferry.records.invalid': 1,
    });
    expect(run?.status.code).toBe(SpanStatusCode.UNSET);
    const { hostname, port } = new URL(sandbox.baseUrl);
    for (const request of sdk.named(POST)) {
      expect(request.kind).toBe(SpanKind.CLIENT);
      expect(request.status.code).toBe(SpanStatusCode.UNSET);
      expect(request.attributes).toEqual({
        'http.request.method': 'POST',
        'server.address': hostname,
        'server.port': Number(port),
        'url.full': `${sandbox.baseUrl}/monitorings/1/documents`,
        'url.template': '/monitorings/{id}/documents',
        'http.request.body.size': expect.any(Number),
        'http.response.status_code': 200,
      });
    }
  });

  it('counts what the report counts, and measures each request', async () => {
    const sdk = registerSdk();
    const reports: Report[] = [];
    for (const _ of [1, 2]) reports.push(await importInto(await startWithMonitoring()));
    const documents = await sdk.points<number>('docferry.documents');
    const counted = documents.map(({ attributes, value }) => [
      attributes['docferry.outcome'],
      value,
    ]);
    const sum = (outcome: 'accepted' | 'invalid'): number =>
      reports.reduce((sum, { counts }) => sum + counts[outcome], 0);
    expect(Object.fromEntries(counted)).toEqual({
      accepted: sum('accepted'),
      invalid: sum('invalid'),
    });
    const durations = await sdk.points<Histogram>('http.client.request.duration');
    const measured = durations.map(({ attributes, value }) => [
      attributes['http.request.method'],
      value.count,
    ]);
    expect(measured.toSorted()).toEqual([
      ['GET', 1],
      ['GET', 1],
      ['POST', 4],
      ['POST', 4],
    ]);
    const [duration] = durations;
    expect(duration?.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]);
    expect(duration?.attributes).not.toHaveProperty('url.full');
  });

  longTest('says which requests are retries, and what was wrong with the others', async () => {
    const sdk = registerSdk();
    const rules = [{ on: 'import' as const, requests: [1, 2], status: 429 }];
    await importInto(await startWithMonitoring({ faults: { rules } }), { input: ROWS.slice(0, 1) });
    const told = sdk.named(POST).map(({ attributes, status }) => ({
      resends: attributes['http.request.resend_count'],
      status: attributes['http.response.status_code'],
      error: attributes['error.type'],
      code: status.code,
    }));
    const failed = { status: 429, error: '429', code: SpanStatusCode.ERROR };
    expect(told).toEqual([
      { resends: undefined, ...failed },
      { resends: 1, ...failed },
      { resends: 2, status: 200, error: undefined, code: SpanStatusCode.UNSET },
    ]);
  });

  it('has failed where it stopped, and says why', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    await importInto({ ...sandbox, baseUrl: 'http://127.0.0.1:1/5.0' });
    const [request] = sdk.named('GET /monitorings/{id}');
    expect(request?.attributes['error.type']).toBe('not-sent');
    expect(request?.status).toMatchObject({ code: SpanStatusCode.ERROR, message: /ECONNREFUSED/ });
    const [run] = sdk.named('docferry.import');
    expect(run?.attributes).toMatchObject({
      'error.type': 'service-down',
      'docferry.run.exit_code': 4,
    });
    expect(run?.status.code).toBe(SpanStatusCode.ERROR);
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

  it('tells no one of the API key', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    await importInto({ ...sandbox, apiKey: 'a-wrong-key' });
    await importInto(sandbox);
    const told = JSON.stringify(
      sdk.spans().map(({ attributes, events, status }) => [attributes, events, status]),
    );
    expect(sdk.spans()).toHaveLength(2 + TREE.length);
    for (const secret of ['a-wrong-key', sandbox.apiKey, basic(sandbox.username, sandbox.apiKey)]) {
      expect(told).not.toContain(secret);
    }
  });
});

describe('the parent of an import', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const environment = {
    TRACEPARENT: `00-${TRACE}-b7ad6b7169203331-01`,
    TRACESTATE: 'vendor=a',
  };

  it('is what the environment names', async () => {
    const sdk = registerSdk();
    setEnvironment(environment);
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
    setEnvironment(environment);
    const sandbox = await startWithMonitoring();
    await trace.getTracer('program').startActiveSpan('nightly', async (span) => {
      await importInto(sandbox);
      span.end();
    });
    expect(treeOf(sdk.spans())).toEqual(['nightly', ...TREE.map((name) => `  ${name}`)]);
  });

  it('is of no matter to its requests where the program keeps no track of what is active', async () => {
    const sdk = registerSdk({ tracksContext: false });
    await importInto(await startWithMonitoring());
    expect(treeOf(sdk.spans())).toEqual(TREE);
  });

  it('has imports that run at the same time each with its own requests', async () => {
    const sdk = registerSdk();
    const sandboxes = await Promise.all([startWithMonitoring(), startWithMonitoring()]);
    await Promise.all(sandboxes.map((sandbox) => importInto(sandbox)));
    expect(treeOf(sdk.spans())).toEqual([...TREE, ...TREE]);
  });
});

describe('the service', () => {
  it('is told of each request, and of nothing else that the program keeps', async () => {
    const sdk = registerSdk();
    const sandbox = await startWithMonitoring();
    const { headers, connection } = await seenOnTheWay(sandbox);
    const baggage = propagation.createBaggage({ user: { value: 'ana' } });
    await context.with(propagation.setBaggage(context.active(), baggage), () =>
      importInto(connection),
    );
    const ids = sdk
      .spans()
      .filter(({ kind }) => kind === SpanKind.CLIENT)
      .map((span) => span.spanContext());
    expect(headers.map(({ traceparent }) => traceparent)).toEqual(
      ids.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    );
    for (const one of headers) expect(one).not.toHaveProperty('baggage');
  });

  it('is told nothing of a run that is not recorded', async () => {
    registerSdk({ sampler: new AlwaysOffSampler() });
    const { headers, connection } = await seenOnTheWay(await startWithMonitoring());
    expect((await importInto(connection)).counts.accepted).toBe(4);
    expect(headers).not.toHaveLength(0);
    for (const one of headers) expect(one).not.toHaveProperty('traceparent');
  });

  it('gets its requests as they are, whatever a propagator writes', async () => {
    registerSdk();
    propagation.disable();
    propagation.setGlobalPropagator({
      inject: (_, carrier, setter) => {
        const headers = {
          Authorization: 'mine',
          'Content-Length': '3',
          'content-type': 'text/plain',
          'b a d': 'x',
          ok: 'yes',
          lines: 'a\nb',
        };
        for (const [name, value] of Object.entries(headers)) setter.set(carrier, name, value);
      },
      extract: (active) => active,
      fields: () => [],
    });
    const { headers, connection } = await seenOnTheWay(await startWithMonitoring());
    expect((await importInto(connection)).counts.accepted).toBe(4);
    expect(headers.at(-1)).toMatchObject({ 'content-type': 'application/json', ok: 'yes' });
    expect(headers.at(-1)).not.toHaveProperty('lines');
  });
});

it('a validation is a span of its own', async () => {
  const sdk = registerSdk();
  await validateDocuments({ input: ROWS, mapping, throwOn: 'never' });
  expect(treeOf(sdk.spans())).toEqual(['docferry.validate']);
  expect(sdk.spans()[0]?.attributes).toMatchObject({ 'docferry.records.unsent': 4 });
});

it('an instrumentation of the HTTP client is quiet within a request', async () => {
  registerSdk();
  let suppressed: boolean | undefined;
  const transport = openTelemetry('1.0.0', {}).traced({
    baseUrl: 'https://api.example.com/5.0',
    send: async () => {
      suppressed = isTracingSuppressed(context.active());
      return { kind: 'not-sent', message: 'no' } as const;
    },
    close: async () => {},
  });
  await transport.send({ method: 'GET', path: '/monitorings/1' });
  expect(suppressed).toBe(true);
  expect(isTracingSuppressed(context.active())).toBe(false);
});

it('nothing is registered by an import itself', async () => {
  const registry = Symbol.for('opentelemetry.js.api.1');
  Reflect.deleteProperty(globalThis, registry);
  await importInto(await startWithMonitoring());
  expect(registry in globalThis).toBe(false);
});
