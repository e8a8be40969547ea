import { anyCase, type Check, smoke } from '../../src/check/check.ts';

const baseAddress: Check<null> = {
  id: 'ver-1-base-address',
  title: 'the base address ends in /v1',
  requirement: 'VER-1',
  phase: 'main',
  cost: 0,
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    if (context.run.baseUrl.endsWith('/v1')) context.passed('VER-1');
    else context.inconclusive('VER-1', { code: 'path-waived' });
  },
};

export const version: readonly Check<unknown>[] = [anyCase(baseAddress)];
