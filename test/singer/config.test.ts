import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/index.js';
import { loadSingerConfig } from '../../src/singer/config.js';
import { newFolder, put } from '../helpers/files.js';

const STREAMS = { reviews: { mapping: 'maps/reviews.yaml' } };

async function load(config: unknown): Promise<unknown> {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  return await loadSingerConfig(put(newFolder(), 'config.json', text));
}

describe('loadSingerConfig', () => {
  it('reads paths as relative to the config', async () => {
    const folder = newFolder();
    const config = {
      monitoring: 1,
      streams: { reviews: { mapping: 'maps/reviews.yaml', schema: '/schemas/own.json' } },
      apiKeyFile: 'key.txt',
      ca: '../ca.pem',
      stateDir: '.docferry',
      rejects: 'out/{run}.jsonl',
      baseUrl: 'https://api.example.com/5.0',
    };
    const file = put(folder, 'config.json', JSON.stringify(config, null, '\t'));
    const relative = path.relative(process.cwd(), file);
    expect(await loadSingerConfig(relative)).toEqual({
      ...config,
      streams: {
        reviews: { mapping: path.join(folder, 'maps/reviews.yaml'), schema: '/schemas/own.json' },
      },
      apiKeyFile: path.join(folder, 'key.txt'),
      ca: path.join(path.dirname(folder), 'ca.pem'),
      stateDir: path.join(folder, '.docferry'),
      rejects: path.join(folder, 'out/{run}.jsonl'),
    });
  });

  it.each([
    [
      '{"monitoring": 1,\n "streams": }',
      /The config .*config\.json is not valid JSON: .* on line 2, column \d+/,
    ],
    [{ monitoring: 1 }, /config\.json, streams is missing$/],
    [
      { monitoring: 1, streams: { reviews: { maping: 'a' } } },
      /streams\.reviews\.maping is an unknown key; did you mean "mapping"\?/,
    ],
    [
      { monitoring: 1, streams: STREAMS, emitState: 'acepted' },
      /emitState is "acepted"; expected accepted or accounted; did you mean "accepted"\?/,
    ],
    [
      { monitoring: 1, streams: STREAMS, epoch: { records: 0 } },
      /epoch\.records is the number 0; expected a whole number from 1 to 1000000/,
    ],
    [
      { monitoring: 1, streams: STREAMS, rejects: 'rejects.jsonl' },
      /rejects is "rejects\.jsonl"; expected a path with \{run\} in it/,
    ],
    [
      { monitoring: 1, streams: STREAMS, emitState: 'accounted' },
      /rejects is missing, though emitState is "accounted"/,
    ],
  ])('refuses %j', async (config, says) => {
    const refused = load(config);
    await expect(refused).rejects.toThrow(OptionError);
    await expect(refused).rejects.toThrow(says);
  });

  it('refuses an API key in a config, and does not show it', async () => {
    const refused = load({ monitoring: 1, streams: STREAMS, api_key: 'top-secret' });
    await expect(refused).rejects.toThrow(/put it into a file and name that in apiKeyFile/);
    await expect(refused).rejects.not.toThrow(/top-secret/);
  });
});
