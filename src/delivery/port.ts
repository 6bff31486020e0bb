import type { Batch } from '../model/documents.js';
import type { AccessRefusal } from './check-access.js';
import type { ShowPage } from './reconciliation/pages.js';
import type { RefusalMeaning } from './reconciliation/refusals.js';
import type { SendingPort } from './send-batches.js';

/** What delivery needs from outside. What it gives back of a batch may be a part of it. */
export interface DeliveryPort
  extends Pick<SendingPort, 'intend' | 'send' | 'notice' | 'stopped' | 'signal'> {
  /** Whether documents can be sent at all; `undefined`: they can. Never rejects. */
  readonly access: (signal: AbortSignal) => Promise<AccessRefusal | undefined>;
  /** What the service shows, page by page. */
  readonly page: ShowPage;
  /**
   * Writes down what is known of a request's documents, or of a part of them. `unsent`: they
   * certainly changed nothing; `unknown`: it may become known later.
   */
  readonly settle: (
    batch: Batch,
    known: {
      readonly outcome: 'accepted' | 'rejected' | 'unsent' | 'unknown';
      readonly message: string;
    },
  ) => void;
  /** A part of a batch that was sent belongs to the same request. */
  readonly isPartOf: (part: Batch, whole: Batch) => void;
  /** What became of documents, as far as it can be known; told once for each. */
  readonly outcome: (
    batch: Batch,
    outcome: 'accepted' | 'rejected' | 'unknown',
    message: string,
  ) => void;
  /** Documents go out a second time, though the first time may have been enough. */
  readonly sentAgain: (batch: Batch, why: string) => void;
  /** The service shows these documents more than once. */
  readonly shownTwice: (batch: Batch) => void;
  /** It was found out what the refusal of several documents means. */
  readonly learned: (meaning: RefusalMeaning) => void;
  /** A request was answered, and that is settled. */
  readonly progress: () => void;
  /** Ends the run early, for what the service says or shows. */
  readonly stop: (reason: {
    readonly kind: 'no-access' | 'service-down';
    readonly message: string;
  }) => void;
}
