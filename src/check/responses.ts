/** What a status means for a request. */
export { isFrontRefusal } from '../oracle/front-refusal.ts';
export { unexpectedStatus } from '../oracle/rules/status.ts';
