import { scenarios } from '../../judge/scenarios.ts';
import { loadDocument } from '../../openapi/load.ts';
import { faultyClients } from './faulty.ts';
import type { FaultyClient } from './faulty-family.ts';
import { judgeTestClient } from './judge-client.ts';
import { rightClients } from './right.ts';

/** A client of the self-test with its result. */
export interface JudgedClient {
  readonly name: string;
  readonly description: string;
  /** The requirement that must fail; null: the client conforms. */
  readonly requirement: string | null;
  readonly result: 'killed' | 'imprecise' | 'survived' | 'accepted' | 'alarm';
  /** Requirements that failed, or warned. */
  readonly accused: readonly string[];
}

/** Whether the result for a client is correct. */
export const isGoodClient = ({ result }: JudgedClient): boolean =>
  result === 'killed' || result === 'accepted';

type Named = Pick<FaultyClient, 'name' | 'description' | 'client'> &
  Partial<Pick<FaultyClient, 'requirement' | 'companions'>>;

const resultOf = ({ requirement, companions = [] }: Named, accused: readonly string[]) => {
  if (requirement === undefined) return accused.length === 0 ? 'accepted' : 'alarm';
  if (!accused.includes(requirement)) return 'survived';
  return accused.every((id) => id === requirement || companions.includes(id)) ? 'killed' : 'imprecise';
};

const all: readonly Named[] = [
  ...faultyClients,
  ...Object.entries(rightClients).map(([name, [description, client]]) => ({ name, description, client })),
];

/** Judges every client of the self-test, in every scenario. */
export const testClients = async (seed: number): Promise<readonly JudgedClient[]> => {
  const document = await loadDocument();
  const judged: JudgedClient[] = [];
  for (const tested of all) {
    const { outcome } = await judgeTestClient(tested.client, scenarios, { document, seed });
    const accused = outcome.requirements
      .filter(({ verdict }) => ['failed', 'warned', 'error'].includes(verdict))
      .map(({ id }) => id);
    judged.push({
      name: tested.name,
      description: tested.description,
      requirement: tested.requirement ?? null,
      result: resultOf(tested, accused),
      accused,
    });
  }
  return judged;
};
