import type { CutBody } from '../http/parsed-response.ts';
import type { Finding } from './finding.ts';

/** What the part of a body that was read leaves open. */
export const undecidedByCut = (requirement: string, { at }: CutBody): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason: { code: 'max-body', bytes: at },
});
