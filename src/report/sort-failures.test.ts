import { describe, expect, it } from 'vitest';
import { blockedBy, byBlockedCount } from './sort-failures.ts';
import { failure, outcomeOf } from './testing.ts';
import { withVerdict } from './verdicts.ts';

const failed = { verdict: 'failed', failures: [failure()] } as const;
const blockedOn = (id: string) => ({ verdict: 'inconclusive', blockedBy: id }) as const;

describe('sort-failures', () => {
  const { requirements } = outcomeOf({
    verdict: 'nonconformant',
    results: {
      'GEN-1': failed,
      'CREATE-1': failed,
      'RATE-1': failed,
      'GEN-3': blockedOn('CREATE-1'),
      'CREATE-5': blockedOn('CREATE-1'),
      'CREATE-9': blockedOn('CREATE-1'),
      'CREATE-11': blockedOn('CREATE-1'),
      'RATE-5': blockedOn('RATE-1'),
    },
  });

  it('byBlockedCount: a failure that blocks many -> first, then the order of the document', () => {
    const order = byBlockedCount(withVerdict(requirements, 'failed'), requirements);
    expect(order.map(({ id }) => id)).toEqual(['CREATE-1', 'GEN-1', 'RATE-1']);
  });

  it('blockedBy -> the requirements that a failure blocks', () => {
    expect(blockedBy('CREATE-1', requirements)).toEqual(['GEN-3', 'CREATE-5', 'CREATE-9', 'CREATE-11']);
    expect(blockedBy('RATE-1', requirements)).toEqual(['RATE-5']);
    expect(blockedBy('GEN-1', requirements)).toEqual([]);
  });
});
