import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openSources } from '../../src/formats/open-sources.js';
import { columnsOf } from '../../src/guess/columns.js';
import { takeRecords } from '../../src/guess/sample.js';
import { loadMapping } from '../../src/mapping/load/load-mapping.js';
import type { WrittenMapping } from '../../src/mapping/mapping.js';
import {
  findReadyMapping,
  fitsLayout,
  type ReadyMapping,
  readReadyMapping,
  readyMappings,
} from '../../src/mapping/ready-mappings.js';
import { HEADERS } from '../guess/headers.js';
import { ROOT } from '../helpers/markdown.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { mappingNames, mappingPath, SAMPLES } from '../mappings/mappings.js';

const READY_MAPPINGS = readyMappings();
const names = READY_MAPPINGS.map(({ name }) => name);

function readyMapping(name: string): ReadyMapping {
  return READY_MAPPINGS.find((one) => one.name === name) as ReadyMapping;
}

function sampleOf(name: string): string {
  const file = readdirSync(SAMPLES).find(
    (one) => path.parse(one).name === name && !one.endsWith('.expected.json'),
  );
  return path.join(SAMPLES, file ?? '');
}

/** The names of all mappings whose layout a file has, read as one of them says. */
async function fitting(name: string, file: string): Promise<readonly string[]> {
  const { input } = await loadMapping(mappingPath(name));
  const [source] = await openSources(file, input);
  if (source === undefined) throw new Error(`${file} holds nothing`);
  const sample = await takeRecords(source, { records: 50, bytes: 64 * 1024 });
  const { layout } = sample;
  const columns = layout.columns ?? columnsOf(sample, true).map((column) => column.name);
  const records = layout.columns !== undefined ? 'table' : 'objects';
  return READY_MAPPINGS.filter((ready) => fitsLayout(ready, columns, records)).map(
    (ready) => ready.name,
  );
}

/** Which of the headers of `test/guess` are the keys of a layout that has a mapping. */
const KNOWN_HEADERS: Readonly<Record<string, string>> = {
  'business profile': 'google-business-profile',
  'map scraper': 'apify-google-maps',
  'newer restaurant set': 'yelp-open-dataset',
};

/** Real exports in a developer's checkout, and the mapping for each. */
const REAL_EXPORTS: Readonly<Record<string, string>> = {
  'amazon-en-fine-food-epoch-html.csv': 'amazon-fine-food',
  'booking-extranet-export.csv': 'booking-extranet',
  'google-de-hospitals-cp1252.csv': 'google-reviews-de',
  'google-places-es.json': 'google-places',
  'googleplay-en-zoom.tsv': 'googleplay',
  'mercadolivre-pt-trimmed.csv': 'mercadolivre',
  'tripadvisor-es-airline.csv': 'tripadvisor-airlines-es',
  'tripadvisor-fr-semicolon.csv': 'tripadvisor-scrape-fr',
  'trustpilot-apify-multilang-bom.csv': 'trustpilot-apify',
  'yelp-en-academic.jsonl': 'yelp-academic',
};

/** A mapping's row in a table of docs/mappings.md. */
function rowOf(name: string): string {
  const { layout, input } = parse(readFileSync(mappingPath(name), 'utf8')) as WrittenMapping;
  const link = `[\`${name}\`](../mappings/${name}.yaml)`;
  return `| ${link} | ${layout?.export} | ${input?.format} | ${layout?.basis} |`;
}

describe('ready-made mappings', () => {
  it('are those in mappings/, in order, each with its layout', () => {
    expect(names).toEqual(mappingNames().toSorted());
    expect(names).toEqual(names.toSorted());
  });

  it.each(READY_MAPPINGS)('$name is the only one for its sample', async ({ name }) => {
    expect(await fitting(name, sampleOf(name))).toEqual([name]);
  });

  it.skipIf(!HAS.realData).each(Object.entries(REAL_EXPORTS))(
    'only one is for the real export %s',
    async (file, name) => {
      expect(await fitting(name, path.join(REAL_DATA, file))).toEqual([name]);
    },
  );

  it.each(HEADERS)('take no header of another layout: $name', ({ name, columns }) => {
    const header = columns.map((column) => column.replace(/:.*$/u, ''));
    expect(findReadyMapping(header)).toBeUndefined();
    expect(findReadyMapping(header, 'objects')?.name).toBe(KNOWN_HEADERS[name]);
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

  it('of surveys are found whatever stands between the columns that count', () => {
    const { columns } = readyMapping('surveymonkey');
    const [first = '', ...others] = columns;
    expect(findReadyMapping([first, 'IP Address', ...others, 'More'])?.name).toBe('surveymonkey');
    expect(findReadyMapping([...others, first])).toBeUndefined();
    expect(findReadyMapping(others)).toBeUndefined();
  });

  it('of objects are found by their paths, whatever else there is', () => {
    const review = ['id', 'url', 'text', 'rating', 'time_created', 'user.id', 'user.profile_url'];
    expect(findReadyMapping([...review, 'more'], 'objects')?.name).toBe('yelp-fusion');
    expect(findReadyMapping(review.slice(0, -1), 'objects')).toBeUndefined();
    expect(findReadyMapping(review)).toBeUndefined();
  });

  it('are all on the page about them, as each says of itself', () => {
    const page = readFileSync(path.join(ROOT, 'docs/mappings.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| [`'));
    expect(rows.toSorted()).toEqual(names.map(rowOf).toSorted());
  });

  it('that are not there are answered with the nearest name', async () => {
    await expect(readReadyMapping('booking')).rejects.toThrow(
      'There is no ready-made mapping "booking"',
    );
    await expect(readReadyMapping('googlplay')).rejects.toThrow('did you mean "googleplay"');
  });
});
