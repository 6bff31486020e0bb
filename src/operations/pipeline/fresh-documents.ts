import {
  type Remembered,
  type SetApart,
  setApartRepeats,
} from '../../duplicates/set-apart-repeats.js';
import { SpillError } from '../../duplicates/spill-file.js';
import type { DocumentRange, TransformedChunk } from '../../model/documents.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import type { StopConditions } from '../../outcomes/stop-conditions.js';
import { tellApart } from '../../transform/tell-apart.js';

/** What is told of a chunk's records. */
interface ToldRun {
  readonly recorder: OutcomeRecorder;
  readonly stops: StopConditions;
}

/**
 * Takes a chunk's records into the outcomes, and gives the documents that repeat no earlier one. If
 * that can't be told, because a disk is full, the run ends and none of them is sent.
 */
export function freshDocuments(
  { chunk, documents, invalid, skipped, undecodable }: TransformedChunk,
  remembered: Remembered,
  { recorder, stops }: ToldRun,
): readonly DocumentRange[] {
  recorder.transformed(chunk, skipped);
  recorder.undecodable.add(chunk, undecodable);
  const apart = repeatsApart();
  recorder.setApart(documents, invalid, apart?.repeats ?? []);
  if (apart === undefined) {
    recorder.handedOn({ documents, from: 0, to: documents.ends.length });
    return [];
  }
  for (const range of apart.fresh) recorder.handedOn(range);
  for (const shared of apart.shared) recorder.sharesHash(shared);
  return apart.fresh;

  function repeatsApart(): SetApart | undefined {
    try {
      return setApartRepeats(documents, remembered, recorder.firstOrdinal(chunk), tellApart);
    } catch (error) {
      if (!(error instanceof SpillError)) throw error;
      stops.stop({ kind: 'output', message: error.message, cause: error });
      return undefined;
    }
  }
}
