import { request } from 'undici';
import type { Sandbox } from '../../src/sandbox/index.js';

/** A document as the sandbox shows it. */
export interface ShownDocument {
  readonly sourceId: string;
  readonly text: string;
  readonly [field: string]: unknown;
}

/** All documents of a monitoring, page by page, as a client of the service would read them. */
export async function shownDocuments(
  { baseUrl, username, apiKey }: Sandbox,
  monitoring = 1,
): Promise<readonly ShownDocument[]> {
  const documents: ShownDocument[] = [];
  for (;;) {
    const form = new URLSearchParams({
      monitorings: String(monitoring),
      start: '1970-01-01 00:00',
      end: '2100-01-01 00:00',
      offset: String(documents.length),
    });
    const { body } = await request(`${baseUrl}/documents`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    });
    const page = (await body.json()) as { documents: ShownDocument[]; total: number };
    documents.push(...page.documents);
    if (page.documents.length === 0 || documents.length >= page.total) return documents;
  }
}
