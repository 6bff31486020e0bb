import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMapping } from '../../src/mapping/load-mapping.js';
import { mappingColumns } from '../../src/mapping/mapping-columns.js';
import {
  findReadyMapping,
  READY_MAPPINGS,
  readyMapping,
} from '../../src/mapping/ready-mappings.js';
import { previewDocuments } from '../../src/preview-documents.js';
import { ROOT } from '../helpers/markdown.js';
import { mappingNames, mappingPath, SAMPLES } from '../mappings/mappings.js';

const names = READY_MAPPINGS.map(({ name }) => name);

function sampleOf(name: string): string {
  const file = readdirSync(SAMPLES).find(
    (one) => path.parse(one).name === name && !one.endsWith('.expected.json'),
  );
  return path.join(SAMPLES, file ?? '');
}

/** The columns of the sample's first record. */
async function columnsOf(name: string): Promise<readonly string[]> {
  const preview = previewDocuments({
    input: sampleOf(name),
    mapping: mappingPath(name),
    record: 1,
  });
  for await (const { record } of preview) return Object.keys(record ?? {});
  throw new Error(`the sample of ${name} has no record`);
}

describe('ready-made mappings', () => {
  it('are those in mappings/, in order, each with its layout', () => {
    expect(names).toEqual(mappingNames().toSorted());
    expect(names).toEqual(names.toSorted());
  });

  it.each(READY_MAPPINGS)(
    '$name is found by the columns of its sample',
    async ({ name, format }) => {
      const columns = await columnsOf(name);
      const records = format === 'csv' ? 'table' : 'objects';
      expect(findReadyMapping(columns, records)?.name).toBe(name);
    },
  );

  it.each(READY_MAPPINGS)('$name reads no column that its layout lacks', async (ready) => {
    if (ready.format !== 'csv') return;
    const used = mappingColumns(await loadMapping(mappingPath(ready.name)));
    expect(used.filter((column) => !ready.columns.includes(column))).toEqual([]);
  });

  it('are found by the whole header and by nothing less', () => {
    const { columns } = readyMapping('googleplay');
    expect(findReadyMapping(columns)?.name).toBe('googleplay');
    expect(findReadyMapping(columns.slice(1))).toBeUndefined();
    expect(findReadyMapping([...columns, 'more'])).toBeUndefined();
    expect(findReadyMapping(columns.toReversed())).toBeUndefined();
    expect(findReadyMapping([])).toBeUndefined();
    expect(findReadyMapping([], 'objects')).toBeUndefined();
  });

  it('differ in their layouts, so that none hides another', () => {
    const layouts = READY_MAPPINGS.map(({ columns }) => JSON.stringify(columns));
    expect(new Set(layouts).size).toBe(layouts.length);
  });

  it('are all told on the page about them, with what they rest on', () => {
    const page = readFileSync(path.join(ROOT, 'docs/mappings.md'), 'utf8');
    for (const { name, basis } of READY_MAPPINGS) {
      expect(page).toContain(`\`${name}\``);
      if (basis.startsWith('https:')) expect(page).toContain(basis);
    }
  });

  it('that are not there are answered with the nearest name', () => {
    expect(() => readyMapping('booking')).toThrow('there is no ready-made mapping "booking"');
    expect(() => readyMapping('googlplay')).toThrow('did you mean "googleplay"');
  });
});
