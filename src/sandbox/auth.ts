import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { Refusal } from './refusal.js';

/** Lets only calls with these Basic credentials through; all others get 401. */
export function requireCredentials(username: string, apiKey: string): MiddlewareHandler {
  const expected = digest(Buffer.from(`${username}:${apiKey}`));
  return async (c, next) => {
    const given = credentials(c.req.header('authorization'));
    // Digests have one length, so that the comparison's time says nothing about the key.
    if (!timingSafeEqual(digest(given), expected)) {
      throw new Refusal('unauthorized', messageFor(c.req.path), {
        'www-authenticate': 'Basic realm="docferry sandbox", charset="UTF-8"',
      });
    }
    await next();
  };
}

/** 4.0 says it in fewer words. */
function messageFor(path: string): string {
  const invalid = 'The authorization is not valid';
  return path.startsWith('/4.0/') ? `${invalid}.` : `${invalid} for this user name or API key.`;
}

function credentials(header: string | undefined): Buffer {
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64');
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
