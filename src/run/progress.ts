import type { Redact } from '../http/redact.ts';
import type { Breach } from '../oracle/finding.ts';

/** What a run tells whoever watches it. */
export type RunEvent =
  /** Before the first check: what is going to be sent, and how long that takes at this limit. */
  | {
      readonly kind: 'planned';
      readonly requests: number;
      readonly estimateMs: number;
      readonly note: string;
    }
  | {
      readonly kind: 'progress';
      /** Requests that are done, of those planned. */
      readonly done: number;
      readonly planned: number;
      readonly failures: number;
      readonly remainingMs: number | null;
      /** The check under way. */
      readonly check: string;
    }
  | { readonly kind: 'waiting'; readonly reason: string; readonly untilMs: number }
  | {
      readonly kind: 'failed';
      readonly requirement: string;
      readonly breach: Breach;
      /** Hides the keys of the run in what is shown of the breach. */
      readonly redact: Redact;
    }
  | { readonly kind: 'note'; readonly text: string };

export type Watch = (event: RunEvent) => void;
