import { describe, expect, it } from 'vitest';
import { dependencyReason } from '../run/verdicts.ts';
import { failure, outcomeOf } from './testing.ts';
import { withStanding } from './verdicts.ts';
import { hinderedBy, mostPressingFirst, suspicion } from './weight.ts';

const failed = { verdict: 'failed', failures: [failure()] } as const;
const waitsFor = (id: string) => ({ verdict: 'inconclusive', reason: dependencyReason(id) }) as const;

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
    const order = mostPressingFirst(withStanding(requirements, 'failed'), requirements);
    expect(order.map(({ id }) => id)).toEqual(['CREATE-1', 'GEN-1', 'RATE-1']);
  });

  it('names what it keeps from being judged', () => {
    expect(hinderedBy('CREATE-1', requirements)).toEqual(['GEN-3', 'CREATE-5', 'CREATE-9', 'CREATE-11']);
    expect(hinderedBy('RATE-1', requirements)).toEqual(['RATE-5']);
    expect(hinderedBy('GEN-1', requirements)).toEqual([]);
  });
});

describe('one answer to everything', () => {
  const story = outcomeOf({ verdict: 'nonconformant', results: { 'LIST-1': failed } });
  const answering = (byStatus: Record<string, number>) =>
    suspicion({ ...story, traffic: { ...story.traffic, byStatus } });

  it('is told, with the address that was asked', () => {
    expect(answering({ 404: 900 })).toBe(
      'Every answer is 404, whatever is asked: is the API served under http://127.0.0.1:4010/v1, or does another server listen there?',
    );
  });

  it('is no matter among few answers, among several, or where nothing fails', () => {
    expect(answering({ 404: 3 })).toBeNull();
    expect(answering({ 404: 900, 401: 1 })).toBeNull();
    expect(suspicion({ ...outcomeOf(), traffic: { ...story.traffic, byStatus: { 200: 900 } } })).toBeNull();
  });
});
