import { appendFileSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stampEvent } from '../../src/outcomes/events.js';
import { EventLog } from '../../src/outputs/event-log.js';
import { newFolder, put } from '../helpers/files.js';
import { linesOf } from '../report/replay.js';

const START = stampEvent({ type: 'start', run: 'r-1', resumed: false, inputs: [] } as const, 'r-1');
const NOTICE = stampEvent({ type: 'notice', message: 'two\nlines' } as const, 'r-1');

function log(file: string): EventLog {
  return new EventLog(file, (error) => {
    throw error;
  });
}

describe('a file of events', () => {
  it('is added to, without the piece of a line that a killed process has left', () => {
    const file = put(newFolder(), 'events.ndjson', '{"type":"notice","message":"old"}\n');
    // Longer than what is looked at in one go.
    appendFileSync(file, `{"type":"outcome","records":[${'0,'.repeat(100_000)}`);
    const events = log(file);
    events.write(START);
    events.close();
    expect(linesOf(file).map(({ type }) => type)).toEqual(['notice', 'start']);
  });

  it('is no other file that was put in its place after it was checked', () => {
    const folder = newFolder();
    const other = put(folder, 'notes.txt', 'a note without an end');
    const file = path.join(folder, 'events.ndjson');
    symlinkSync(other, file);
    expect(() => log(file)).toThrow(/it is a link, which isn't followed/);
    expect(readFileSync(other, 'utf8')).toBe('a note without an end');
  });

  it('that cannot be written is told once, and nothing more is written', () => {
    const told: string[] = [];
    const events = new EventLog('/dev/full', ({ message }) => told.push(message));
    events.write(START);
    events.write(NOTICE);
    events.close();
    expect(told).toEqual([expect.stringMatching(/^\/dev\/full can't be written: ENOSPC/)]);
  });
});
