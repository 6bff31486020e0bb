/** Looks at the server and at the file on the disk when the user returns, and while something is wrong. */
import { useEffect, useRef } from 'preact/hooks';
import { request } from './ask.js';
import { repeatRequests, type Server, useServer } from './server.js';

/** Interval of attempts while the server doesn't answer. */
const RETRY_MS = 1_500;

export function useServerWatch(): Server {
  const server = useServer();
  const stamp = useRef<string>(undefined);
  const look = async (): Promise<void> => {
    // Errors are noted with each answer.
    const answer = await request<{ stamp: string }>('/api/stamp').catch(() => null);
    if (answer === null || answer.stamp === stamp.current) return;
    if (stamp.current !== undefined) repeatRequests();
    stamp.current = answer.stamp;
  };
  useEffect(() => {
    void look();
    const ending = new AbortController();
    // The address changes when a new token is pasted into it.
    for (const event of ['focus', 'hashchange']) addEventListener(event, look, ending);
    return () => ending.abort();
  }, []);
  useEffect(() => {
    if (server.state === 'answers') return;
    const timer = setInterval(look, RETRY_MS);
    return () => clearInterval(timer);
  }, [server.state]);
  return server;
}
