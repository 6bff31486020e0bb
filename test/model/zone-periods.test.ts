import { expect, test } from 'vitest';
import { recallZones, zonePeriods, zonesAsText } from '../../src/model/zone-periods.js';

test("of a zone's periods, the first hundred are kept: a column of nonsense asks for thousands", () => {
  zonePeriods.clear();
  const periods = Array.from({ length: 150 }, (_, at) => [at, [[at * 1_000, 3_600_000]]] as const);
  zonePeriods.set('Europe/Madrid', new Map(periods));
  const text = zonesAsText();
  zonePeriods.clear();
  recallZones(text);
  expect(zonePeriods).toEqual(new Map([['Europe/Madrid', new Map(periods.slice(0, 100))]]));
  zonePeriods.clear();
});
