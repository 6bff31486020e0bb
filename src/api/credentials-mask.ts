/** Gives a text back with the credentials in it made unreadable. */
export type Mask = (text: string) => string;

/** A key this short is likely to stand inside ordinary words, and is hidden as a word only. */
const LIKE_A_WORD = 8;

/**
 * Hides the API key, the pair and its Base64 form, and the key as it stands in addresses. Nothing
 * here puts them into a text; but a server, or something between, may send back what it was sent.
 */
export function credentialsMask(username: string, apiKey: string): Mask {
  const pair = `${username}:${apiKey}`;
  const key = escaped(apiKey);
  const secrets = [
    escaped(pair),
    escaped(Buffer.from(pair, 'utf8').toString('base64')),
    escaped(encodeURIComponent(pair)),
    apiKey.length < LIKE_A_WORD ? `(?<![\\p{L}\\p{N}])${key}(?![\\p{L}\\p{N}])` : key,
    ...(encodeURIComponent(apiKey) === apiKey ? [] : [escaped(encodeURIComponent(apiKey))]),
  ];
  const pattern = new RegExp(secrets.join('|'), 'gu');
  return (text) => text.replace(pattern, '[hidden]');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
