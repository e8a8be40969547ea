import type { Finding } from '../../finding/finding.ts';
import type { Probe } from '../../finding/probe.ts';
import type { KeySlot } from '../../http/exchange.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import type { Plan } from '../../openapi/plans.ts';
import { createOtherLimit } from './other-limit.ts';
import { createResetMonitor } from './reset.ts';
import { createRetryAfterMonitor } from './wait.ts';
import { createWindowMonitor } from './window.ts';

interface Options {
  readonly concurrency: number;
  readonly maxWaitMs: number;
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
  isShared(slot: KeySlot): boolean;
}

/** The rules on the limits of keys, which remember earlier responses. They must see all requests with a key. */
export const createKeyMonitors = ({ concurrency, maxWaitMs, plans, isShared }: Options) => {
  const isExclusive = (slot: KeySlot) => !isShared(slot);
  const otherLimit = createOtherLimit(plans, concurrency);
  const windows = createWindowMonitor({ isExclusive, otherLimit, concurrency });
  const waits = createRetryAfterMonitor({ isExclusive, otherLimit });
  const resets = createResetMonitor({ isExclusive, otherLimit, maxWaitMs });
  return {
    otherLimit,
    observe: (
      response: ParsedResponse,
      probe: Probe,
      how: { readonly expects429: boolean },
    ): readonly Finding[] => {
      otherLimit.observe(response, probe);
      return [
        ...(how.expects429 ? [] : windows.observe(response, probe)),
        ...waits.observe(response, probe, how),
        ...resets.observe(response, probe),
      ];
    },
  };
};
