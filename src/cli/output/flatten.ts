import type { Row } from './batches.js';

/**
 * A record as cells by path, such as `author.username`. A metric goes by its name
 * (`metrics.likes`), a list is one cell, its items parted by `; `, and so is a list of objects,
 * whose own values are parted by commas. What is `null` or missing is empty.
 */
export function flatten(record: Row): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  addFields(cells, '', record);
  return cells;
}

function addFields(cells: Map<string, string>, prefix: string, record: Row): void {
  for (const [key, value] of Object.entries(record)) {
    const path = prefix + key;
    if (key === 'metrics' && Array.isArray(value)) addMetrics(cells, path, value);
    else if (isObject(value)) addFields(cells, `${path}.`, value);
    else cells.set(path, cellOf(value));
  }
}

function addMetrics(cells: Map<string, string>, path: string, metrics: readonly unknown[]): void {
  for (const metric of metrics) {
    if (isObject(metric)) cells.set(`${path}.${metric['name']}`, cellOf(metric['value']));
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(itemOf).join('; ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

function itemOf(item: unknown): string {
  if (!isObject(item)) return cellOf(item);
  return Object.values(item)
    .map(cellOf)
    .filter((text) => text !== '')
    .join(', ');
}

/** Whether a value has fields. */
export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
