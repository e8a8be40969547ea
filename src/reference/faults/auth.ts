import { bypassFaults } from './auth-bypass.ts';
import { authEffectFaults, challengeFaults } from './auth-effects.ts';
import { invalidKeyFaults } from './auth-invalid.ts';
import { lockOutFaults } from './auth-lock-out.ts';
import { misplacedKeyFaults } from './auth-misplaced.ts';
import { missingKeyFaults } from './auth-missing.ts';
import { authOrderFaults } from './auth-order.ts';

/** Mistakes in authentication, requirement by requirement. */
export const authFaults = [
  ...missingKeyFaults,
  ...bypassFaults,
  ...lockOutFaults,
  ...invalidKeyFaults,
  ...misplacedKeyFaults,
  ...authOrderFaults,
  ...authEffectFaults,
  ...challengeFaults,
];
