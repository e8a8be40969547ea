import { describe, expect, it } from 'vitest';
import { screenOf } from './screen.ts';

const stream = (isTTY: boolean, columns?: number) => ({
  isTTY,
  ...(columns === undefined ? {} : { columns }),
  write: () => true,
});
const terminal = stream(true, 100);

describe('screenOf', () => {
  it.each([
    ['a terminal', true, {}, true, true],
    ['a pipe', false, {}, false, false],
    ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
    ['a terminal in CI', true, { CI: 'true' }, false, true],
    ['a terminal with CI=false', true, { CI: 'false' }, true, true],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, true, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true, true],
    ['a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, false, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
    ['FORCE_COLOR and NO_COLOR at once', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  ])('%s (TTY %s, %o) -> live %s, color %s', (_, isTTY, env, live, color) => {
    expect(screenOf(stream(isTTY, 100), env)).toMatchObject({ live, color });
  });
  it('columns -> the current width of the window, 80 without a window', () => {
    const window = { isTTY: true, columns: 100, write: () => true };
    const screen = screenOf(window, {});
    expect(screen.columns()).toBe(100);
    window.columns = 20;
    expect(screen.columns()).toBe(20);
    expect(screenOf(stream(false), {}).columns()).toBe(80);
    expect(screenOf({ ...terminal, columns: 0 }, {}).columns()).toBe(80);
  });
});
