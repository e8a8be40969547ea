import type { Probe } from '../src/oracle/probe.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { retryWait } from '../src/oracle/retry-wait.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { speaksOfTheDay } from '../src/run/limit-state.ts';
import { exhaust } from './exhaustion.ts';
import {
  isServed,
  type LimitProbe,
  limitProbes,
  listProbe,
  minutesOf,
  sendCounted,
  waitOut,
} from './support/limit.ts';
import { windowUnderWay } from './support/window.ts';

/** Requests in the wait of a 429 after which no ban is expected any more. */
const insistence = 60;

const inWait = (limitProbe: LimitProbe): Probe => ({ ...limitProbe('rate-limit'), inWait: true });

/** Once each, where a wait is ignored anyway, what else can be asked: the 429s of each operation are judged. */
const othersThan = (context: CaseContext, counted: LimitProbe): readonly LimitProbe[] =>
  limitProbes(context).filter(
    (limitProbe) => inWait(limitProbe).request.operation !== inWait(counted).request.operation,
  );

/** A request that is refused by now, and for how many seconds: a day's limit may be used up already, that of a minute is used up here. */
const refusal = async (
  context: CaseContext,
): Promise<{ readonly limitProbe: LimitProbe; readonly wait: number }> => {
  const first = await sendCounted(context, inWait(listProbe));
  const waitOf = (reading: Reading) => retryWait(reading)?.seconds ?? 0;
  if (first.status === 429 && speaksOfTheDay(first)) return { limitProbe: listProbe, wait: waitOf(first) };
  if (first.status === 429) await waitOut(context, first);
  const { fresh, exhausted } = await exhaust(context, windowUnderWay);
  if (exhausted.kind !== 'refused') return context.end('no 429 came');
  return { limitProbe: fresh.limitProbe, wait: waitOf(exhausted.reading) };
};

/** Observes what a key meets that goes on sending after a 429; only with leave. */
export const banIsObserved: Check<null> = {
  name: 'RATE-12 what follows a 429 is observed',
  gives: ['RATE-12'],
  phase: 'exhaust',
  toll: minutesOf(1, insistence),
  once: true,
  examples: ({ keys }) => (keys.allowBan ? [null] : []),
  attempt: async (_, context) => {
    const { limitProbe, wait } = await refusal(context);
    const others = othersThan(context, limitProbe);
    for (let count = 1; count <= insistence; count += 1) {
      const other = others[count - 1];
      const reading = await sendCounted(context, inWait(other ?? limitProbe));
      // Which operations the limit applies to is not shown, and a ban is seen by what was refused before.
      if (other !== undefined && reading.status !== 429) continue;
      const now = retryWait(reading)?.seconds ?? 0;
      if (isServed(reading)) return context.observe('RATE-12', 'ban', 'none before the limit reset');
      if (reading.status !== 429 || now > wait + 5) {
        const length = now > 0 ? `, Retry-After ${Math.round(now)} s` : '';
        return context.observe(
          'RATE-12',
          'ban',
          `after ${count} requests in the wait of a 429: status ${reading.status}${length}`,
        );
      }
    }
    context.observe('RATE-12', 'ban', `none after ${insistence} requests during a Retry-After`);
  },
};
