/** Who may ask the studio anything: the page that its command opened, and nobody else. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { StudioRefusal } from './refusal.js';

/**
 * Refuses requests under another name than this machine's own, by which a page elsewhere may have
 * got here (DNS rebinding), and those that another page makes.
 * @param port tells the server's, once it listens
 */
export function ownRequestsOnly(port: () => number): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host') ?? '';
    const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port()}`);
    if (!hosts.includes(host)) {
      throw new StudioRefusal(
        403,
        'The studio is only there under the address that its command prints.',
      );
    }
    const origin = c.req.header('origin') ?? `http://${host}`;
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (origin !== `http://${host}` || !['same-origin', 'none'].includes(site)) {
      throw new StudioRefusal(
        403,
        'Another page made this request; the studio answers only its own.',
      );
    }
    await next();
  };
}

/** Lets only requests with the token through. */
export function requireToken(token: string): MiddlewareHandler {
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    // Digests have one length, so that the comparison's time says nothing about the token.
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new StudioRefusal(
        401,
        'The token is missing or wrong: open the address that the command prints.',
      );
    }
    await next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The page may load and reach nothing but what comes from here. */
export function strictHeaders(): MiddlewareHandler {
  const own = ["'self'"];
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      connectSrc: own,
      frameSrc: own,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Browsers complain of it where a page without it came first from here.
    originAgentCluster: false,
    // It has no certificate, and other servers on this machine are none of its business.
    strictTransportSecurity: false,
    // A report in a frame has a policy of its own.
    overwrite: false,
  });
}

/**
 * The policy of a report in a frame of the page: an origin of its own, from which nothing can be
 * reached. What it may show, it says itself.
 */
export const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
