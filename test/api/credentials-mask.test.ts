import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsMask } from '../../src/api/transport/connection.js';

describe('credentialsMask', () => {
  it('hides the pair, its Base64 form, the key, and the key as it stands in an address', () => {
    const mask = credentialsMask('ana', 'key/12345');
    const base64 = Buffer.from('ana:key/12345').toString('base64');
    expect(mask(`ana:key/12345 ${base64} key/12345 key%2F12345 ana`)).toBe(
      '[hidden] [hidden] [hidden] [hidden] ana',
    );
  });

  it('hides a short key as a word, and leaves words alone that hold it', () => {
    expect(credentialsMask('ana', 'on')('monitoring on, "on"')).toBe(
      'monitoring [hidden], "[hidden]"',
    );
  });

  it('hides any key, whatever characters it has', () => {
    const key = fc.string({ minLength: 8, unit: 'grapheme' });
    fc.assert(
      fc.property(key, fc.string(), (apiKey, around) => {
        const hidden = credentialsMask('ana', apiKey)(`${around}${apiKey}${around}`);
        expect(hidden).not.toContain(apiKey);
      }),
    );
  });
});
