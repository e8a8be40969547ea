import { type Check, defineCheck, smoke } from '../../src/check/index.ts';

const baseAddress = defineCheck({
  id: 'ver-1-base-address',
  title: 'the base address ends in /v1',
  requirement: 'VER-1',
  cost: 0,
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    if (context.run.baseUrl.endsWith('/v1')) context.passed();
    else context.inconclusive({ code: 'path-waived' });
  },
});

export const version: readonly Check[] = [baseAddress];
