import { readFileSync } from 'node:fs';

/** Version of this docferry. In a file of its own, as `--help` needs it without the HTTP client. */
export function ownVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
