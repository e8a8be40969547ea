import { type ApiResponse, type CheckContext, defineCheck, type Probe } from '../../src/check/index.ts';
import { isDailyLimit, retryWait } from '../../src/check/rate-limits.ts';
import { exhaust } from './rate-limit-exhaustion.ts';
import {
  isServed,
  type LimitProbe,
  limitProbes,
  listProbe,
  minutesOf,
  sendCounted,
  waitForReset,
} from './support/limit.ts';
import { currentWindow } from './support/window.ts';

/** How many requests during Retry-After show that there is no ban. */
const ignoredWaits = 60;

const duringBackoff = (limitProbe: LimitProbe): Probe => ({
  ...limitProbe('rate-limit'),
  duringBackoff: true,
});

/** The other operations, once each, so that their 429s are checked, too. */
const othersThan = (context: CheckContext, counted: LimitProbe): readonly LimitProbe[] =>
  limitProbes(context).filter(
    (limitProbe) => duringBackoff(limitProbe).request.operation !== duringBackoff(counted).request.operation,
  );

/** A request that gets 429, and its wait in seconds. The daily limit may be used up already; otherwise the per-minute limit is used up here. */
const refusal = async (context: CheckContext) => {
  const first = await sendCounted(context, duringBackoff(listProbe));
  const waitOf = (response: ApiResponse) => retryWait(response)?.seconds ?? 0;
  if (first.status === 429 && isDailyLimit(first)) return { limitProbe: listProbe, wait: waitOf(first) };
  if (first.status === 429) await waitForReset(context, first);
  const { fresh, exhausted } = await exhaust(context, currentWindow);
  if (exhausted.kind !== 'refused') return context.skipCase({ code: 'limit-not-reached', detail: 'no-429' });
  return { limitProbe: fresh.limitProbe, wait: waitOf(exhausted.response) };
};

/** Records what a key gets that keeps sending after a 429. Only with --allow-ban. */
export const banIsRecorded = defineCheck({
  id: 'rate-12-ban',
  title: 'a ban after ignored 429 responses is recorded',
  requirement: 'RATE-12',
  phase: 'exhaust-limit',
  cost: minutesOf(1, ignoredWaits),
  retry: false,
  inputs: ({ keys }) => (keys.allowBan ? [null] : []),
  run: async (_, context) => {
    const { limitProbe, wait } = await refusal(context);
    const others = othersThan(context, limitProbe);
    for (let count = 1; count <= ignoredWaits; count += 1) {
      const other = others[count - 1];
      const response = await sendCounted(context, duringBackoff(other ?? limitProbe));
      // The limit may not apply to this operation. Only an operation that got 429 before can show a ban.
      if (other !== undefined && response.status !== 429) continue;
      const now = retryWait(response)?.seconds ?? 0;
      if (isServed(response)) return context.observe('ban', 'none before the limit reset');
      if (response.status !== 429 || now > wait + 5) {
        const length = now > 0 ? `, Retry-After ${Math.round(now)} s` : '';
        return context.observe(
          'ban',
          `after ${count} requests during Retry-After: status ${response.status}${length}`,
        );
      }
    }
    context.observe('ban', `none after ${ignoredWaits} requests during a Retry-After`);
  },
});
