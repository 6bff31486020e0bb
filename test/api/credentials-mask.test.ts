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

  const inHtml = (text: string): string =>
    text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
  const inAscii = (text: string): string =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(
        /[^ -~]|[&<>'+]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
  /** What servers and proxies make of a text that they repeat. */
  const ESCAPED: Readonly<Record<string, (text: string) => string>> = {
    'as JSON': (text) => JSON.stringify(text).slice(1, -1),
    'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
    'as JSON with slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    'as JSON in ASCII': inAscii,
    'for an address': encodeURIComponent,
    'for an address, in lower case': (text) =>
      encodeURIComponent(text).replace(/%../g, (found) => found.toLowerCase()),
    'for an address, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
    'as a form': (text) => new URLSearchParams({ k: text }).toString().slice(2),
    'for HTML': inHtml,
    'for HTML by name': (text) =>
      text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    'in Base64': (text) => Buffer.from(text).toString('base64'),
    'in Base64url': (text) => Buffer.from(text).toString('base64url'),
    'in Base64, within a longer text': (text) => Buffer.from(`a${text}b`).toString('base64'),
    'in Base64, after a name': (text) => Buffer.from(`ab${text}bcd`).toString('base64'),
  };

  it.each(Object.entries(ESCAPED))('hides a key that comes back escaped %s', (_, inEscapes) => {
    const keys = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' });
    const awkward = fc.constantFrom('k"e/y&<1>\\+=23', "a b+c/d=e'f%25", 'schlüssel-ключ-🔑');
    fc.assert(
      fc.property(fc.oneof(keys, awkward), (apiKey) => {
        const key = apiKey.toWellFormed();
        const escaped = inEscapes(key);
        const hidden = credentialsMask('ana', apiKey)(`the key is: ${escaped} (refused)`);
        expect(hidden).toMatch(/^the key is: .{0,6}\[hidden\]={0,2}.{0,6} \(refused\)$/s);
      }),
    );
  });

  it('leaves a text alone that holds neither', () => {
    const text = 'The field "text" is %2Fmissing%2F &amp; Zm9vYmFyYmF6cXV4 \\"invalid\\".';
    expect(credentialsMask('ana', 'key/12345')(text)).toBe(text);
    expect(credentialsMask('u', 'k')(text)).toBe(text);
  });

  it('takes no longer for a hostile text', () => {
    const mask = credentialsMask('ana', '\\\\\\\\"&/%key');
    for (const part of ['\\', '%25', '&amp;', '&#0', 'QUFB'])
      expect(mask(part.repeat(200_000))).toContain(part);
  });
});
