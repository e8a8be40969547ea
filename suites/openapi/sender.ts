import type { ApiResponse, CheckContext } from '../../src/check/index.ts';
import { withCurrentHeaders } from './current-headers.ts';
import type { Found, KnownResources } from './existing.ts';
import type { Localize } from './localize.ts';
import { hasPathParameters, noResource, type OperationUnderTest } from './operations.ts';
import { type GeneratedRequest, type Meaning, toProbe } from './request.ts';

/** Sends a request to its target. Ends the case if the target does not exist. */
export type Sender = (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  context: CheckContext,
  meaning?: Omit<Meaning, 'found'>,
) => Promise<ApiResponse>;

/** How a case sends more requests. */
export interface Sending {
  readonly send: Sender;
  readonly context: CheckContext;
}

/** So many requests to an operation are sent again, each to a new resource. */
const mostRenewals = 20;

export const senderOver =
  (existing: KnownResources, localize: Localize): Sender =>
  async (exercised, sending, context, meaning = {}) => {
    const { operation, mayGuess } = exercised;
    const usesIds = hasPathParameters(operation) && sending.idSource !== 'made up';
    const sendTo = async (found: Found | null): Promise<ApiResponse> => {
      const localized = await localize(exercised, sending, context, found);
      const current = await withCurrentHeaders(exercised, localized, context, found);
      return context.send(toProbe(exercised, current, { ...meaning, found }));
    };
    const found = usesIds ? await existing.find(exercised, context) : null;
    if (usesIds && found === null && (sending.idSource === 'existing' || !mayGuess))
      return context.skipCase(noResource(operation));
    const response = await sendTo(found);
    if (response.status !== 409 || found === null || operation.method !== 'POST') return response;
    // What the path names may be in a state that permits no more: another one decides.
    const renewals = context.state(`renewals for ${operation.id}`, () => ({ left: mostRenewals }));
    if (renewals.left === 0) return response;
    renewals.left -= 1;
    const other = await existing.find(exercised, context, { isNew: true });
    if (other === null) return response;
    const again = await sendTo(other);
    if (again.status === 409) renewals.left = Math.min(renewals.left, mostRenewals / 4);
    return again;
  };
