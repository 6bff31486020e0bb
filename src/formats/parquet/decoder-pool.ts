import { type DecoderMemory, DecoderProcess } from './decoder-process.js';

/** Starting one takes as long as decoding a megabyte, so it waits a little for the next file. */
const IDLE_MS = 5000;

let idle:
  | {
      readonly process: DecoderProcess;
      readonly memory: DecoderMemory;
      readonly end: NodeJS.Timeout;
    }
  | undefined;

/** @throws BrokenInput if no process can be started */
export function takeProcess(memory: DecoderMemory): DecoderProcess {
  const taken = idle;
  if (taken === undefined || taken.memory !== memory) return new DecoderProcess(memory);
  idle = undefined;
  clearTimeout(taken.end);
  if (taken.process.hasEnded) return new DecoderProcess(memory);
  taken.process.hold(true);
  return taken.process;
}

/** Only a process that has come to the end of a file can go on with another one. */
export function giveBack(process: DecoderProcess, memory: DecoderMemory): void {
  if (idle !== undefined) {
    process.kill();
    return;
  }
  process.hold(false);
  const end = setTimeout(() => {
    idle = undefined;
    process.kill();
  }, IDLE_MS).unref();
  idle = { process, memory, end };
}
