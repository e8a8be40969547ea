import type { Check } from '../check/check.ts';
import { isBreach } from '../finding/finding.ts';
import type { EndReason } from '../finding/reason.ts';
import type { NotSent } from '../http/client-types.ts';
import { type OutcomeInput, resultOf } from './build-outcome.ts';
import type { Preflight } from './preflight.ts';
import { createEarlyDecisions } from './verdict.ts';
import type { Run } from './wire-up.ts';

/** Why the client sends nothing more, as the reason of the run. */
export const stopped = (because: NotSent | null): EndReason | null =>
  because === null ? null : { code: 'run-ended', detail: 'stopped', because };

/** Why the run ended early; null: it did not. */
export const endOf = ({ client, deps }: Run): EndReason | null => {
  const { unreachableReason, timeoutReason } = client.state();
  return deps.signal.aborted ? { code: 'interrupted' } : stopped(unreachableReason ?? timeoutReason);
};

/** Everything that was found so far. */
export const inputOf = (run: Run, ended: EndReason | null, isUnjudgeable: boolean): OutcomeInput => {
  const { deps, target, client, document, serverModel } = run;
  const state = client.state();
  const interrupted = deps.signal.aborted;
  const getPet = document.operations.find(({ id }) => id === 'getPet');
  return {
    ...run,
    plan: target.plans.main,
    endedAt: deps.clock.now(),
    ended,
    interrupted,
    unjudgeable: isUnjudgeable,
    died: state.hasResponded && state.unreachableReason !== null,
    created: deps.isReported === false ? [] : serverModel.createdResources,
    known: deps.known ?? new Map(),
    removal: getPet === undefined ? 'before' : serverModel.removalState(getPet),
  };
};

/** Reports what is decided while checks still run; null: nobody listens, or some cases run in a later pass. */
export const decideEarly = (
  run: Run,
  preflight: Extract<Preflight, { kind: 'judgeable' }>,
  chosen: readonly Check[],
) => {
  const { settings, deps, client, catalogue, selection, evidenceLog } = run;
  const { onDecided } = deps;
  if (onDecided === undefined || settings.budget !== null || settings.path !== null) return null;
  const breached = new Set(preflight.findings.filter(isBreach).map(({ requirement }) => requirement));
  const isOpen = (id: string) => breached.has(id) || !selection.isChosen(id);
  const exhausts = chosen.some(({ phase }) => phase === 'exhaust-limit');
  return createEarlyDecisions(catalogue, chosen, isOpen, (requirement) => {
    const { unreachableReason, timeoutReason } = client.state();
    if (deps.signal.aborted || unreachableReason !== null || timeoutReason !== null) return;
    const result = resultOf(requirement, inputOf(run, endOf(run), false));
    // Over the limit, responses of any operation may be wrong.
    if (exhausts && result.verdict === 'passed') return;
    onDecided(
      result,
      evidenceLog.observations().filter(({ id }) => id === requirement.id),
      run,
    );
  });
};
