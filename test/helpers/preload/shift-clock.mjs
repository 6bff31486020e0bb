/**
 * Loaded before docferry (`node --import`): a clock that is wrong by CLOCK_OFF_MS from the start,
 * and jumps by CLOCK_JUMP_MS once CLOCK_JUMP_AFTER_MS have passed.
 */
const number = (name) => Number(process.env[name] ?? 0);
const offMs = number('CLOCK_OFF_MS');
const jumpMs = number('CLOCK_JUMP_MS');
const jumpAfterMs = number('CLOCK_JUMP_AFTER_MS');
const RealDate = Date;
const realOrigin = performance.timeOrigin;
const startedMs = performance.now();

function now() {
  const jumped = performance.now() - startedMs >= jumpAfterMs;
  return RealDate.now() + offMs + (jumped ? jumpMs : 0);
}

globalThis.Date = class WrongDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(now());
    else super(...values);
  }

  static now() {
    return now();
  }
};
// The clock that doesn't jump began where the wrong one stood then.
Object.defineProperty(performance, 'timeOrigin', { get: () => realOrigin + offMs });
