/** Looks at the server and at the file on the disk when the user returns, and while something is wrong. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from './ask.js';
import { repeatRequests, useServer } from './server.js';

/** Interval of attempts while the server doesn't answer. */
const RETRY_MS = 1_500;

export function useServerWatch() {
  const server = useServer();
  const stamp = useRef<string>(undefined);
  const [changedAt, setChangedAt] = useState<number>();
  const look = async (): Promise<void> => {
    // Errors are noted with each answer.
    const answer = await request<{ stamp: string }>('/api/stamp').catch(() => null);
    if (answer === null || answer.stamp === stamp.current) return;
    if (stamp.current !== undefined) {
      repeatRequests();
      setChangedAt(Date.now());
    }
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
  /** When a changed file was noticed, epoch milliseconds. */
  return { ...server, changedAt, dismiss: () => setChangedAt(undefined) };
}
