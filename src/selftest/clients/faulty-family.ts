import type { ClientRequest, TestClient } from './client.ts';
import { list, sequential } from './kit.ts';

/** A client with one mistake. */
export interface FaultyClient {
  readonly name: string;
  /** The requirement that must fail. */
  readonly requirement: string;
  /** Requirements that may fail along with it. */
  readonly companions: readonly string[];
  readonly description: string;
  readonly client: TestClient;
}

type Row = readonly [description: string, client: TestClient, companions?: readonly string[]];

/** Clients that break one requirement. */
export const family = (requirement: string, rows: Readonly<Record<string, Row>>): readonly FaultyClient[] =>
  Object.entries(rows).map(([name, [description, client, companions = []]]) => ({
    name,
    requirement,
    companions,
    description,
    client,
  }));

/** A client that sends these requests, and a right one. */
export const withWork = (...work: readonly ClientRequest[]): TestClient =>
  sequential({ work: [...work, list] });
