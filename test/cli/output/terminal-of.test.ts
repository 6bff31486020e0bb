import { describe, expect, it } from 'vitest';
import { terminalOf } from '../../../src/cli/output/terminal-of.js';
import { PLAIN } from '../../../src/model/terminal.js';

const TTY = { isTTY: true, columns: 100 };
const PIPE = { isTTY: false, columns: 0 };

describe('terminalOf', () => {
  it('colours and wraps for a terminal only', () => {
    expect(terminalOf(TTY, {})).toEqual({ width: 100, color: true });
    expect(terminalOf(PIPE, { COLUMNS: '60' })).toEqual(PLAIN);
  });

  it('has no colour with NO_COLOR, FORCE_COLOR=0 or TERM=dumb', () => {
    for (const environment of [{ NO_COLOR: '1' }, { FORCE_COLOR: '0' }, { TERM: 'dumb' }]) {
      expect(terminalOf(TTY, environment)).toEqual({ width: 100, color: false });
    }
    expect(terminalOf(TTY, { NO_COLOR: '' }).color).toBe(true);
    expect(terminalOf(TTY, { NO_COLOR: '1', FORCE_COLOR: '1' }).color).toBe(false);
  });

  it('colours a pipe with FORCE_COLOR', () => {
    expect(terminalOf(PIPE, { FORCE_COLOR: '1' })).toEqual({ ...PLAIN, color: true });
    expect(terminalOf(TTY, { FORCE_COLOR: '', TERM: 'dumb' }).color).toBe(true);
  });

  it('takes the width from COLUMNS, from the stream, or assumes 80', () => {
    expect(terminalOf(TTY, { COLUMNS: '60' }).width).toBe(60);
    expect(terminalOf(TTY, { COLUMNS: 'wide' }).width).toBe(100);
    expect(terminalOf({ isTTY: true, columns: 0 }, {}).width).toBe(80);
  });
});
