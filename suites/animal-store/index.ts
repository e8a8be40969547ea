import type { Check } from '../../src/check/index.ts';
import { auth } from './auth.ts';
import { connections } from './connection.ts';
import { creations } from './create.ts';
import { gets } from './get.ts';
import { nextIds } from './get-unknown.ts';
import { refusals } from './invalid-bodies.ts';
import { lists } from './list.ts';
import { orders } from './orders.ts';
import { parameters } from './parameters.ts';
import { rateLimits } from './rate-limit.ts';
import { stateful } from './stateful.ts';
import { undescribedRequests } from './undocumented-requests.ts';
import { version } from './version.ts';

/** Every check of the animal store. Within a phase, checks run in this order. */
export const checks: readonly Check[] = [
  ...version,
  ...lists,
  ...creations,
  ...refusals,
  ...gets,
  ...auth,
  ...orders,
  ...connections,
  ...parameters,
  ...nextIds,
  ...rateLimits,
  ...stateful,
  ...undescribedRequests,
];
