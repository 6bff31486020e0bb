/** Whether the studio's server answers, and how often what it read has changed: shared by all requests. */
import { useEffect, useState } from 'preact/hooks';

export interface Server {
  /** `refused`: without the right token. `missing`: it answers, but the file is gone. */
  readonly state: 'answers' | 'stopped' | 'refused' | 'missing';
  /** Why it doesn't answer. */
  readonly message: string;
  /** Grows when earlier answers are out of date, so that requests are repeated. */
  readonly version: number;
}

let server: Server = { state: 'answers', message: '', version: 0 };
const followers = new Set<(server: Server) => void>();

/** By HTTP status; 0 if there was no answer. Other errors are about the request. */
const STATES: Record<number, Server['state']> = { 0: 'stopped', 401: 'refused', 410: 'missing' };

/** Whether an error isn't about the request, which can be made again once the server or the file is back. */
export function isAboutServer(status: number): boolean {
  return STATES[status] !== undefined;
}

/** Notes an answer of the server; once it answers again, what failed meanwhile is repeated. */
export function noteAnswer(status: number, message: string): void {
  const state = STATES[status] ?? 'answers';
  if (state === server.state) return;
  const isBack = state === 'answers';
  publish({ state, message, version: server.version + (isBack ? 1 : 0) });
}

/** Repeats all requests. */
export function repeatRequests(): void {
  publish({ ...server, version: server.version + 1 });
}

function publish(changed: Server): void {
  server = changed;
  for (const follow of followers) follow(server);
}

export function useServer(): Server {
  const [shown, show] = useState(server);
  useEffect(() => {
    // It may have changed since the component was drawn.
    show(server);
    followers.add(show);
    return () => {
      followers.delete(show);
    };
  }, []);
  return shown;
}
