import { authenticationDialects } from './authentication.ts';
import { banDialects } from './bans.ts';
import { bodyDialects } from './bodies.ts';
import { creationDialects } from './creations.ts';
import { cursorDialects } from './cursors.ts';
import { errorDialects } from './errors.ts';
import { frontDialects } from './front.ts';
import { headerDialects } from './headers.ts';
import { idDialects } from './ids.ts';
import { limiterDialects } from './limiters.ts';
import { limitsCountedDialects } from './limits-counted.ts';
import { limitsShownDialects } from './limits-shown.ts';
import { listOrderDialects } from './list-order.ts';
import { listDialects } from './lists.ts';
import { messageDialects } from './messages.ts';
import { nameDialects } from './names.ts';
import { petByIdDialects } from './pet-by-id.ts';
import { replicaDialects } from './replicas.ts';
import { resourceDialects } from './resources.ts';
import { storeOrderDialects } from './store-orders.ts';
import { storeDialects } from './stores.ts';
import { transitionDialects } from './transitions.ts';
import { writingDialects } from './writing.ts';

/** Every dialect, group by group. */
export const dialects = [
  ...storeDialects,
  ...listOrderDialects,
  ...idDialects,
  ...listDialects,
  ...cursorDialects,
  ...transitionDialects,
  ...replicaDialects,
  ...creationDialects,
  ...nameDialects,
  ...bodyDialects,
  ...petByIdDialects,
  ...storeOrderDialects,
  ...writingDialects,
  ...headerDialects,
  ...errorDialects,
  ...frontDialects,
  ...messageDialects,
  ...authenticationDialects,
  ...resourceDialects,
  ...limiterDialects,
  ...limitsShownDialects,
  ...limitsCountedDialects,
  ...banDialects,
];
