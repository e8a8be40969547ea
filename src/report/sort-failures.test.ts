import { describe, expect, it } from 'vitest';
import { blockedBy, byBlockedCount } from './sort-failures.ts';
import { failure, outcomeOf } from './testing.ts';
import { withVerdict } from './verdicts.ts';

const failed = { verdict: 'failed', failures: [failure()] } as const;
const waitsFor = (id: string) => ({ verdict: 'inconclusive', blockedBy: id }) as const;

describe('what fails', () => {
  const { requirements } = outcomeOf({
    verdict: 'nonconformant',
    results: {
      'GEN-1': failed,
      'CREATE-1': failed,
      'RATE-1': failed,
      'GEN-3': waitsFor('CREATE-1'),
      'CREATE-5': waitsFor('CREATE-1'),
      'CREATE-9': waitsFor('CREATE-1'),
      'CREATE-11': waitsFor('CREATE-1'),
      'RATE-5': waitsFor('RATE-1'),
    },
  });

  it('begins with what keeps many others from being judged, and goes on in the order of the document', () => {
    const order = byBlockedCount(withVerdict(requirements, 'failed'), requirements);
    expect(order.map(({ id }) => id)).toEqual(['CREATE-1', 'GEN-1', 'RATE-1']);
  });

  it('names what it keeps from being judged', () => {
    expect(blockedBy('CREATE-1', requirements)).toEqual(['GEN-3', 'CREATE-5', 'CREATE-9', 'CREATE-11']);
    expect(blockedBy('RATE-1', requirements)).toEqual(['RATE-5']);
    expect(blockedBy('GEN-1', requirements)).toEqual([]);
  });
});
