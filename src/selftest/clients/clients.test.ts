import { expect, test } from 'vitest';
import { scenarios } from '../../judge/scenarios.ts';
import { loadCatalogue } from '../../openapi/catalogue.ts';
import { loadDocument } from '../../openapi/load.ts';
import type { TestClient } from './client.ts';
import { faultyClients } from './faulty.ts';
import { judgeTestClient } from './judge-client.ts';
import { rightClients } from './right.ts';

const document = await loadDocument();

const verdictsOf = async (client: TestClient) => {
  const { outcome } = await judgeTestClient(client, scenarios, { document, seed: 1 });
  return outcome.requirements.map(({ id, verdict, reason, failures }) => ({
    id,
    verdict,
    reason,
    problem: failures[0]?.breach.problem,
  }));
};

const isAccused = ({ verdict }: { readonly verdict: string }) =>
  verdict === 'failed' || verdict === 'warned' || verdict === 'error';

test.each(faultyClients)(
  'faulty client $name -> killed by $requirement',
  async ({ client, requirement, companions }) => {
    const accused = (await verdictsOf(client)).filter(isAccused);
    expect(accused.map(({ id }) => id)).toContain(requirement);
    expect(accused.filter(({ id }) => id !== requirement && !companions.includes(id))).toEqual([]);
  },
);

test.each(Object.entries(rightClients))('right client %s -> not accused', async (_name, [, client]) => {
  const verdicts = await verdictsOf(client);
  expect(verdicts.filter(isAccused)).toEqual([]);
  expect(verdicts.find(({ id }) => id === 'CLIENT-1')?.verdict).toBe('passed');
});

test('every requirement on clients -> a faulty client that it kills', () => {
  const ids = loadCatalogue()
    .filter(({ subject }) => subject === 'client')
    .map(({ id }) => id);
  expect(ids.filter((id) => !faultyClients.some(({ requirement }) => requirement === id))).toEqual([]);
});
