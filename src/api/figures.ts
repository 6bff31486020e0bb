import type { Indicators } from '../service/resources.js';
import type { AnswerShape } from './answer-shape.js';
import { askFiltered, type Port } from './ask-filtered.js';
import type { CallOptions } from './client.js';
import { encodeChartQuery, encodeIndicatorsQuery } from './encode-queries.js';
import type { ChartQuery, Filters } from './queries.js';

/** What every answer with indicators holds. */
export const INDICATORS_SHAPE: AnswerShape = {
  indicators: { list: { name: 'text', currentValue: 'number?', previousValue: 'number?' } },
};

/** `POST /indicators`. */
export async function indicators(
  port: Port,
  query: Filters,
  options?: CallOptions,
): Promise<Indicators> {
  const parameters = encodeIndicatorsQuery(query, port.warn);
  const question = { path: '/indicators', parameters, shape: INDICATORS_SHAPE };
  return askFiltered(port, question, options);
}

/** `POST /chart`. */
export async function chart(
  port: Port,
  query: ChartQuery,
  options?: CallOptions,
): Promise<unknown> {
  const parameters = encodeChartQuery(query, port.warn);
  return askFiltered(port, { path: '/chart', parameters }, options);
}
