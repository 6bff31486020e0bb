import type { Metric } from '../../model/document.js';

/** The value of a metric, or nothing where it does not apply. */
export function metricOf(metrics: readonly Metric[] | undefined, name: string): number | undefined {
  return metrics?.find((metric) => metric.name === name)?.value;
}
