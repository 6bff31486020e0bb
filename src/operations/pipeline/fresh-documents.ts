import {
  type Remembered,
  type SetApart,
  setApartRepeats,
} from '../../duplicates/set-apart-repeats.js';
import { SpillError } from '../../duplicates/spill-file.js';
import type { DocumentRange, TransformedChunk } from '../../model/documents.js';
import type { Account } from '../../outcomes/account.js';
import type { Brake } from '../../outcomes/brake.js';
import { tellApart } from '../../transform/tell-apart.js';

/** What is told of a chunk's records. */
interface ToldRun {
  readonly account: Account;
  readonly brake: Brake;
}

/**
 * Takes a chunk's records into the account, and gives the documents that repeat no earlier one. If
 * that can't be told, because a disk is full, the run ends and none of them is sent.
 */
export function freshDocuments(
  { chunk, documents, invalid, skipped, undecodable }: TransformedChunk,
  remembered: Remembered,
  { account, brake }: ToldRun,
): readonly DocumentRange[] {
  account.transformed(chunk, skipped);
  account.undecodable.add(chunk, undecodable);
  const apart = repeatsApart();
  account.setApart(documents, invalid, apart?.repeats ?? []);
  if (apart === undefined) {
    account.handedOn({ documents, from: 0, to: documents.ends.length });
    return [];
  }
  for (const range of apart.fresh) account.handedOn(range);
  for (const shared of apart.shared) account.sharesHash(shared);
  return apart.fresh;

  function repeatsApart(): SetApart | undefined {
    try {
      return setApartRepeats(documents, remembered, account.firstOrdinal(chunk), tellApart);
    } catch (error) {
      if (!(error instanceof SpillError)) throw error;
      brake.pull({ kind: 'output', message: error.message, cause: error });
      return undefined;
    }
  }
}
