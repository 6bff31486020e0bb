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

  /** What servers and proxies make of a text that they repeat. */
  const ESCAPED: Readonly<Record<string, (text: string) => string>> = {
    'as JSON': (text) => JSON.stringify(text).slice(1, -1),
    'for an address': encodeURIComponent,
    'as a form': (text) => new URLSearchParams({ k: text }).toString().slice(2),
    'for HTML': (text) =>
      text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    'in Base64': (text) => Buffer.from(text).toString('base64'),
  };

  it.each(Object.entries(ESCAPED))('hides a key that comes back escaped %s', (_, inEscapes) => {
    for (const key of ['k"e/y&<1+=23', 'a b+c/d=e%25', 'schlüssel-ключ-🔑']) {
      const hidden = credentialsMask('ana', key)(`the key is: ${inEscapes(key)} (refused)`);
      expect(hidden).toMatch(/^the key is: \[hidden\] \(refused\)$/);
    }
  });

  it('leaves a text alone that holds neither', () => {
    const text = 'The field "text" is %2Fmissing%2F &amp; Zm9vYmFyYmF6cXV4 \\"invalid\\".';
    expect(credentialsMask('ana', 'key/12345')(text)).toBe(text);
    expect(credentialsMask('u', 'k')(text)).toBe(text);
  });
});
