import type { PublishedWindow } from '../../model/documents.js';
import { IMPORTED_SOURCE, type ShownDocument } from './pages.js';
import type { Window } from './window.js';

/** A document that the service said it took. */
export interface Acknowledged {
  readonly sourceId: string;
  /** Between which moments it was published; `null`: not known. */
  readonly published: PublishedWindow | null;
  /** When the answer came, in milliseconds since 1970. */
  readonly acknowledgedMs: number;
  readonly request: AcknowledgedRequest;
}

/** The request that a document was acknowledged with. */
export interface AcknowledgedRequest {
  /** Between which moments its documents were published; `null`: not known. */
  readonly published: PublishedWindow | null;
  /** Those of its documents that have a sourceId. */
  readonly documents: () => readonly Pick<Acknowledged, 'sourceId' | 'published'>[];
}

/** What reading some windows showed. */
export interface WindowsReading {
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** The windows of which all documents were seen. */
  readonly complete: readonly Window[];
  /** Why others were not read to their end, as half a sentence; `null`: all were. */
  readonly broken: string | null;
  /** Whether there is no use in reading again; `broken` says why. */
  readonly ended: boolean;
  /** Whether the service could not be asked. */
  readonly isDown: boolean;
  /** The window that has to be complete for what was published between these moments to be absent. */
  readonly windowOf: (published: PublishedWindow | null) => Window;
  /**
   * What was acknowledged before it started: one document of each request, and all that should show
   * in the windows if absence can show by now.
   */
  readonly acknowledged: readonly Acknowledged[];
  readonly sightings: Sightings;
}

const NOT_SHOWN = -1;

/**
 * Which of the documents that are sought showed, by sourceId: in its case and Unicode form.
 * Holds the sourceIds, and the platform's id of the first document that showed for each.
 */
export class Sightings {
  readonly #shown = new Map<string, number>();
  readonly #twice = new Set<string>();

  constructor(wanted: Iterable<string> = []) {
    for (const sourceId of wanted) this.want(sourceId);
  }

  want(sourceId: string): void {
    if (!this.#shown.has(sourceId)) this.#shown.set(sourceId, NOT_SHOWN);
  }

  /** How many sourceIds are sought. */
  get size(): number {
    return this.#shown.size;
  }

  /**
   * Takes in what shows; the same document may come several times.
   * @returns whether it is another document of the same source than those that are sought
   */
  see = ({ id, source, sourceId }: ShownDocument): boolean => {
    if (source !== IMPORTED_SOURCE) return false;
    const shown = this.#shown.get(sourceId);
    if (shown === undefined) return true;
    if (shown === NOT_SHOWN) this.#shown.set(sourceId, id);
    else if (shown !== id) this.#twice.add(sourceId);
    return false;
  };

  /** Begins anew: a document that was replaced between two readings is none that is there twice. */
  forget(): void {
    for (const sourceId of this.#shown.keys()) this.#shown.set(sourceId, NOT_SHOWN);
    this.#twice.clear();
  }

  shows(sourceId: string): boolean {
    return (this.#shown.get(sourceId) ?? NOT_SHOWN) !== NOT_SHOWN;
  }

  showsTwice(sourceId: string): boolean {
    return this.#twice.has(sourceId);
  }

  /** In the order in which they were wanted. */
  list(which: 'shown' | 'missing' | 'twice'): readonly string[] {
    if (which === 'twice') return [...this.#shown.keys()].filter((id) => this.#twice.has(id));
    return [...this.#shown.keys()].filter((id) => this.shows(id) === (which === 'shown'));
  }
}
