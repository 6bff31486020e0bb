import { countLineEnds } from '../../model/chunk.js';
import type { Found, SourceFault } from '../format.js';

const CR = 0x0d;
const REMEDY = 'Fix the document, or download it again.';

/** Common part of the scanners that find the elements of a document. */
export abstract class DocumentScanner {
  end = 0;
  next = 0;
  lines = 0;
  fault: SourceFault | undefined;

  protected bytes: Buffer = Buffer.alloc(0);
  protected last = false;

  load(bytes: Buffer, last: boolean): void {
    this.bytes = bytes;
    this.last = last;
  }

  protected pass(from: number, to: number, found: Found): Found {
    this.next = to;
    this.lines = countLineEnds(this.bytes, from, to);
    return found;
  }

  /** A CR at the end of the loaded bytes may be the first half of CRLF, a single line end. */
  protected withoutHalfLineEnd(end: number): number {
    const isHalf = end === this.bytes.length && !this.last && this.bytes[end - 1] === CR;
    return isHalf ? end - 1 : end;
  }

  protected fail(at: number, reason: string, remedy: string = REMEDY): 'fault' {
    this.fault ??= { at, reason, remedy };
    return 'fault';
  }
}
