import type { DnsFailure, DnsRecord, DnsResponse } from '../../domains/network/network.ts';
import type { AttachedDomain, DomainsSettings } from '../../domains/settings.ts';
import {
  answerFrom,
  answerOf,
  attachedTo,
  type PageFailure,
  projectPage,
  type Question,
  record,
  type World,
  type WorldCertificate,
  type WorldPage,
} from './world.ts';

/** Changes a world. Patches stack, with the last one outermost. */
export type WorldPatch = (world: World) => World;

/** A world with a mistake, or with a choice that the document leaves open. */
export interface DomainVariant {
  readonly name: string;
  readonly description: string;
  readonly patch: WorldPatch;
}

/** A mistake in a world of right domains. */
export interface DomainFault extends DomainVariant {
  readonly requirement: string;
  /** Requirements that may fail along with it. */
  readonly companions: readonly string[];
}

type Rows = Readonly<
  Record<string, readonly [description: string, patch: WorldPatch, ...companions: string[]]>
>;

/** The faults of one requirement. */
export const faultsOf = (requirement: string, rows: Rows): readonly DomainFault[] =>
  Object.entries(rows).map(([name, [description, patch, ...companions]]) => ({
    name: `domain-${name}`,
    requirement,
    companions,
    description,
    patch,
  }));

/** Variants that conform. */
export const dialectsOf = (rows: Rows): readonly DomainVariant[] =>
  Object.entries(rows).map(([name, [description, patch]]) => ({
    name: `domain-${name}`,
    description,
    patch,
  }));

/** All patches, one after the other. */
export const all =
  (...patches: readonly WorldPatch[]): WorldPatch =>
  (world) =>
    patches.reduce((changed, patch) => patch(changed), world);

/** Other records, served as before. */
const records =
  (change: (records: readonly DnsRecord[]) => readonly DnsRecord[]): WorldPatch =>
  (world) => {
    const changed = change(world.records);
    return { ...world, records: changed, answer: answerOf(changed) };
  };

export const adding = (...added: readonly DnsRecord[]): WorldPatch =>
  records((before) => [...before, ...added]);

/** Without the records of a type at a name. */
export const without = (name: string, type: string): WorldPatch =>
  records((before) => before.filter((one) => one.name !== name || one.type !== type));

/** Other records of a type at a name. */
export const replacing = (...added: readonly DnsRecord[]): WorldPatch =>
  all(...added.map(({ name, type }) => without(name, type)), adding(...added));

/** One server has other records than the others. */
export const onlyAt =
  (server: string, patch: WorldPatch): WorldPatch =>
  (world) => {
    const there = patch(world);
    return { ...world, answer: (question) => (question.server === server ? there : world).answer(question) };
  };

/** Changes what servers answer; null: no change. */
export const answering =
  (change: (question: Question, world: World) => DnsResponse | DnsFailure | null): WorldPatch =>
  (world) => ({ ...world, answer: (question) => change(question, world) ?? world.answer(question) });

export const settings =
  (change: (settings: DomainsSettings) => Partial<DomainsSettings>): WorldPatch =>
  (world) => ({ ...world, settings: { ...world.settings, ...change(world.settings) } });

/** Attaches one more domain, which serves the project. */
export const attaching = (name: string): WorldPatch =>
  all(
    settings(({ domains }) => ({ domains: [...domains, attachedTo(name)] })),
    certificate(name, { names: [name] }),
    pageOf(name, projectPage),
  );

/** Each query for the IPv4 address of a name gets the next address of a range. `null`: no change for this server. */
export const varying =
  (lastOf: (query: number, question: Question) => number | null): WorldPatch =>
  (world) => {
    let queries = 0;
    return answering((question) => {
      if (question.type !== 'A') return null;
      const last = lastOf(queries + 1, question);
      if (last === null) return null;
      queries += 1;
      const records = [record(question.name, 'A', `127.0.0.${last}`)];
      return answerFrom(records, question, true);
    })(world);
  };

/** Other settings of one domain. */
export const domain = (name: string, changes: Partial<AttachedDomain>): WorldPatch =>
  settings(({ domains }) => ({
    domains: domains.map((each) => (each.name === name ? { ...each, ...changes } : each)),
  }));

/** Another certificate for a name. */
export const certificate =
  (
    name: string,
    shown: WorldCertificate | 'refused' | 'timeout' | 'closed' | 'unreachable',
    at?: string,
  ): WorldPatch =>
  (world) => ({
    ...world,
    certificate: (address, serverName) =>
      serverName === name && (at === undefined || at === address)
        ? shown
        : world.certificate(address, serverName),
  });

/** Another page; null: no change. */
export const page =
  (change: (url: URL, address: string) => WorldPage | PageFailure | null): WorldPatch =>
  (world) => ({ ...world, page: (address, url) => change(url, address) ?? world.page(address, url) });

/** Another page for a host. */
export const pageOf = (name: string, shown: WorldPage | PageFailure): WorldPatch =>
  page(({ hostname }) => (hostname === name ? shown : null));
