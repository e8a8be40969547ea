const shortest = 12;
const mostShown = 4;

/** Returns how many characters of a key may be shown: a fifth of them, at most 4, and none of a short key. */
export const shownLength = (key: string): number =>
  key.length < shortest ? 0 : Math.min(mostShown, Math.floor(key.length / 5));

/** Shortens a key for display. `most`: how many characters may be shown at most. */
export const maskedKey = (key: string, most = mostShown): string =>
  `${key.slice(0, Math.min(most, shownLength(key)))}…`;
