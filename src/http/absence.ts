import { longestAbsenceMs } from './retry.ts';

/** Reports, once each time, that a server that has responded before refuses connections, and that it accepts them again. */
export const createAbsence = (note: (text: string) => void) => {
  let since: number | null = null;
  return {
    refused: (now: number): void => {
      if (since === null)
        note(
          `The server refuses connections: trying again for up to ${Math.round(longestAbsenceMs / 1000)} s`,
        );
      since ??= now;
    },
    responded: (now: number): void => {
      if (since === null) return;
      note(`The server accepts connections again after ${((now - since) / 1000).toFixed(1)} s`);
      since = null;
    },
  };
};
