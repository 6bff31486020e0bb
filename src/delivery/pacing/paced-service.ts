import { ServiceDownError, ServiceError } from '../../model/errors.js';
import type { Clock } from '../clock.js';
import type { DeliveryService } from '../context.js';
import type { Pacing } from './pacing.js';

type Reads = Pick<DeliveryService, 'page' | 'access'>;

/** Makes the calls that read keep the rate and the pauses of imports. */
export function pacedReads({ page, access }: Reads, pacing: Pacing, clock: Clock): Reads {
  return {
    page: async (window, offset, signal) => {
      await waitForTurn(pacing, clock, signal);
      try {
        return await page(window, offset, signal);
      } catch (error) {
        notePause(error, pacing, clock);
        throw error;
      }
    },
    access: async (signal) => {
      await waitForTurn(pacing, clock, signal).catch(() => {});
      const refused = await access(signal);
      notePause(refused?.cause.cause, pacing, clock);
      return refused;
    },
  };
}

/** @throws ServiceDownError if the service has asked for too long a pause */
async function waitForTurn(pacing: Pacing, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let ms = pacing.reserve(clock.now()); ms > 0; ms = pacing.pausedFor(clock.now())) {
    const { abortReason } = pacing;
    const isPaused = pacing.pausedFor(clock.now()) > 0;
    if (isPaused && abortReason !== undefined) throw new ServiceDownError(abortReason);
    if (signal.aborted) return;
    await clock.sleep(ms, signal);
  }
}

function notePause(error: unknown, pacing: Pacing, clock: Clock): void {
  const { retryAfterMs = 0 } = error instanceof ServiceError ? error : {};
  if (retryAfterMs > 0) pacing.askedToPause(clock.now(), retryAfterMs);
}
