/** What a response says by its status. */
export { isFrontRefusal } from '../oracle/front-refusal.ts';
export { unexpectedStatus } from '../oracle/rules/status.ts';
