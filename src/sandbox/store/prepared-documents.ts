/**
 * Documents made ready for the database: rows as JSON texts, which cross to the store's thread as
 * they are and which SQLite reads by itself. Made where the call is read, so that the store's
 * thread has nothing to do but to store.
 */
export interface PreparedDocuments {
  /** The id of the monitoring that takes them. */
  readonly monitoring: number;
  readonly count: number;
  /** The documents, JSON as they came. */
  readonly bodies: string;
  /** The words of title and text of each document, as one text. */
  readonly words: string;
  /** A row a document, as the statements of `add-documents.ts` read it. */
  readonly documents: string;
  /** Whether any author comes with a profile. */
  readonly profiles: boolean;
  /** Authors that have a sourceId; one row a document. */
  readonly authors: string;
  /** Authors without one; a document's row holds its position here. */
  readonly nameless: string;
  /** Pairs of a document's position and a tag. */
  readonly tags: string;
  /** Pairs of a document's position and a user's id. */
  readonly reviewers: string;
  /** A source, a sourceId and a tag. */
  readonly authorTags: string;
}
