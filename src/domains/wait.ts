import type { Clock } from '../time/clock.ts';
import type { TestedDomain, TestedDomains } from './test-domains.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface WaitOptions {
  readonly clock: Clock;
  /** 0: test once. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
  /** Called before each pause, with what is left of the wait. */
  readonly onPause?: (tested: TestedDomains, pauseMs: number, leftMs: number) => void;
}

/** The requirements of a domain that are not right yet. */
export const missingOf = ({ findings }: Pick<TestedDomain, 'findings'>): readonly string[] => [
  ...new Set(
    findings
      .filter(({ kind }) => kind === 'breach' || kind === 'inconclusive')
      .map(({ requirement }) => requirement),
  ),
];

const isRight = ({ domains, findings }: TestedDomains): boolean =>
  [{ findings }, ...domains].every((each) => missingOf(each).length === 0);

/** Tests with growing pauses until everything is right, or the wait is over. `waited`: when domains became right. */
export const testUntilRight = async (
  test: () => Promise<TestedDomains>,
  { clock, waitMs, signal, onPause }: WaitOptions,
): Promise<{ readonly tested: TestedDomains; readonly waited: ReadonlyMap<string, number> }> => {
  const start = clock.now();
  const waited = new Map<string, number>();
  const open = new Set<string>();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const tested = await test();
    for (const { domain, ...each } of tested.domains) {
      if (missingOf(each).length > 0) open.add(domain.name);
      else if (open.delete(domain.name)) waited.set(domain.name, Math.round((clock.now() - start) / 1_000));
    }
    const left = start + waitMs - clock.now();
    if (isRight(tested) || left <= 0 || signal?.aborted === true) return { tested, waited };
    const next = Math.min(pause, left);
    onPause?.(tested, next, left);
    await clock.sleep(next, signal).catch(() => undefined);
  }
};
