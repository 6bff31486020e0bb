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
  const secrets = [
    escaped(pair),
    escaped(Buffer.from(pair, 'utf8').toString('base64')),
    ...[apiKey, inAddress(apiKey)].map((key) => {
      const part = escaped(key);
      return key.length < LIKE_A_WORD ? `(?<![\\p{L}\\p{N}])${part}(?![\\p{L}\\p{N}])` : part;
    }),
  ];
  const pattern = new RegExp(secrets.join('|'), 'gu');
  return (text) => text.replace(pattern, '[hidden]');
}

/** Half a character can't stand in an address; what Basic authentication makes of it can. */
function inAddress(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
