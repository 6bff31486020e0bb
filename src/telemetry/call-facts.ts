/** What is told of a call to the service, in the terms of OpenTelemetry's conventions for HTTP clients. */
import type { Exchange } from '../api/transport/exchange.js';
import type { Call } from '../api/transport/http-transport.js';
import type { TelemetryFacts } from './telemetry.js';

/** A call before it is made. */
export interface CallFacts {
  /** `POST /monitorings/{id}/documents`: the same for all calls of a kind. */
  readonly name: string;
  /** What its duration is measured by: few values each. */
  readonly measured: TelemetryFacts;
  /** What its span says besides. */
  readonly own: TelemetryFacts;
}

/** A base URL holds no credentials: connections with such are refused. */
export function callFacts(baseUrl: string, call: Call): CallFacts {
  const { method, path, query, body, resends = 0 } = call;
  const { hostname, port, protocol } = new URL(baseUrl);
  const template = path.replaceAll(/\/\d+(?=\/|$)/g, '/{id}');
  const size = body?.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return {
    name: `${method} ${template}`,
    measured: {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
      'url.template': template,
    },
    own: {
      'url.full': `${baseUrl}${path}${query === undefined ? '' : `?${query}`}`,
      ...(size === undefined ? {} : { 'http.request.body.size': size }),
      ...(resends === 0 ? {} : { 'http.request.resend_count': resends }),
    },
  };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** How a call ended. */
export interface CallEnd {
  readonly measured: TelemetryFacts;
  /** Why it failed, if the status doesn't say it. */
  readonly failure?: string;
}

/** What is told of a call once it has ended. */
export function callEnd(exchange: Exchange): CallEnd {
  if (exchange.kind !== 'answer') {
    const type = exchange.kind === 'no-answer' && exchange.timedOut ? 'timeout' : exchange.kind;
    return { measured: { 'error.type': type }, failure: exchange.message };
  }
  const { status, unusable } = exchange;
  const answered = { 'http.response.status_code': status };
  if (status >= 400) return { measured: { ...answered, 'error.type': `${status}` }, failure: '' };
  if (unusable === undefined) return { measured: answered };
  return { measured: { ...answered, 'error.type': 'unusable-answer' }, failure: unusable };
}
