/** What is known of a limit when it is asked how long requests take. Times in milliseconds. */
export interface Standing {
  readonly limit: number;
  /** How many of a window are ours. */
  readonly perWindow: number;
  /** Of these, in this one. */
  readonly left: number;
  readonly windowMs: number;
  /** Until the reset that the last answer showed, with the margin that is kept. */
  readonly untilRenewal: number;
  readonly margin: number;
  /** With neighbours on the key: how long our own silence lasts before what it frees is used. */
  readonly silence: number | null;
}

/** How exactly whole seconds tell a reset. */
const ROUNDED_MS = 1_500;

/** A bucket that refills evenly is reset when it is full: as far ahead as what was used takes. */
const isBucket = ({ limit, left, windowMs, untilRenewal, margin }: Standing): boolean =>
  Math.abs(untilRenewal - margin - ((limit - left) * windowMs) / limit) <= ROUNDED_MS;

/**
 * How long so many requests wait for the limit. A window that begins with a request begins anew with each wait, later by the margin and
 * the rest of a second; those that follow each other by the clock do not.
 */
export const waitingMs = (requests: number, standing: Standing): number => {
  const { perWindow, left, windowMs, untilRenewal, margin, silence } = standing;
  const waits = Math.ceil(Math.max(0, requests - left) / perWindow);
  if (waits === 0) return 0;
  if (silence !== null) return waits * silence;
  const period = windowMs + margin + ROUNDED_MS / 2;
  if (isBucket(standing)) return waits * period;
  const begun = untilRenewal >= 0.95 * windowMs;
  return untilRenewal + (waits - 1) * (begun ? period : windowMs);
};
