import { expect, test } from 'vitest';
import { operationOf } from '../../../src/sandbox/faults/operation-of.js';

test.each([
  ['POST', '/5.0/monitorings/7/documents', 'import'],
  ['GET', '/5.0/monitorings/7/documents', undefined],
  ['GET', '/5.0/monitorings', 'monitorings'],
  ['POST', '/5.0/monitorings', 'monitorings'],
  ['GET', '/5.0/monitorings/7', 'monitorings'],
  ['POST', '/5.0/monitorings/7/title', 'monitorings'],
  ['POST', '/5.0/monitorings/7/searches', 'monitorings'],
  ['DELETE', '/5.0/monitorings/7/searches/1,2', 'monitorings'],
  ['GET', '/5.0/monitorings/7/else', undefined],
  ['POST', '/5.0/documents', 'documents'],
  ['GET', '/5.0/documents', 'documents'],
  ['DELETE', '/5.0/documents', undefined],
  ['POST', '/5.0/documents/feed', 'feed'],
  ['POST', '/5.0/documents/12/context', 'context'],
  ['GET', '/5.0/documents/12/context', undefined],
  ['POST', '/5.0/authors', 'authors'],
  ['POST', '/5.0/indicators', 'indicators'],
  ['GET', '/5.0/chart', 'chart'],
  ['GET', '/4.0/monitorings', 'monitorings'],
  ['GET', '/4.0/documents', 'documents'],
  ['POST', '/4.0/documents', undefined],
  ['POST', '/4.0/monitorings/7/documents', undefined],
  ['GET', '/documents', undefined],
  ['GET', '/6.0/documents', undefined],
  ['GET', '/5.0', undefined],
  ['GET', '/5.0/', undefined],
])('%s %s is for %s', (method, path, operation) => {
  expect(operationOf(method, path)).toBe(operation);
});
