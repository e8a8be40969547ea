import { X509Certificate } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import schema from '../../spec/domains.schema.json' with { type: 'json' };
import { readText } from '../config/read-text.ts';
import type { OrProblems } from '../config/values.ts';
import { parseYaml, type YamlFile } from '../config/yaml-file.ts';
import { plans } from '../openapi/plans.ts';
import { hostNameOf } from './names.ts';
import { createFieldReader, type FieldReader, type Fields, type Part } from './read-fields.ts';
import { endpoint, host, hostProblem, isPath, listOf, oneOf, optional, time } from './read-values.ts';
import { domainProblems as problems } from './refusals.ts';
import {
  type AttachedDomain,
  attachedDomain,
  type DomainsSettings,
  defaultNetwork,
  defaultPrimary,
  defaultProject,
  type NetworkSettings,
  type Project,
  type Redirect,
  redirectStatuses,
} from './settings.ts';

export type ReadDomains = OrProblems<{ readonly settings: DomainsSettings }>;

const parts = schema.$defs;

/** Where the fields are from. */
interface Source {
  /** What a mistake begins with. */
  readonly placeOf: (field: string, line: number) => string;
  readonly required: readonly string[];
  /** The names of other files are relative to it. */
  readonly folder: string;
}

/** Reads the file of `domains`, and the certificates that it names. All mistakes are listed. */
export const loadDomains = async (path: string): Promise<ReadDomains> => {
  const read = await readText(path);
  if (!read.ok) return { ok: false, problems: [`--config ${path}: ${read.problem}`] };
  const yaml = parseYaml(path, read.text, { uniqueKeys: false });
  if (!yaml.ok) return { ok: false, problems: yaml.problems.map(withoutColumn) };
  return readDomains(yaml.file, {
    placeOf: (field, line) => `${path}:${line}${field === '' ? '' : `: ${field}`}`,
    required: schema.required,
    folder: dirname(path),
  });
};

/** Reads the fields of the file. All mistakes are listed. */
export const readDomains = async (
  file: YamlFile,
  { placeOf, required, folder }: Source,
): Promise<ReadDomains> => {
  const reader = createFieldReader(file, placeOf);
  const whole = { field: '', node: file.root, parent: file.root };
  const fields = reader.fields(whole, { ...schema, required });
  const settings = fields === null ? null : await settingsOf(reader, whole, fields, folder);
  const problems = reader.problems();
  return settings === null || problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
};

const withoutColumn = (problem: string): string => problem.replace(/^(.*?:\d+):\d+: /, '$1: ');

const settingsOf = async (
  reader: FieldReader,
  whole: Part,
  fields: Fields,
  folder: string,
): Promise<DomainsSettings | null> => {
  const plan = optional(fields.get('plan'), (part) => oneOf(reader, part, plans));
  const platformHost = optional(fields.get('platformHost'), (part) => host(reader, part));
  const domains = domainsOf(reader, fields.get('domains'), platformHost ?? '');
  const names = domains.map(({ name }) => name);
  const redirects = optional(fields.get('redirects'), (part) => redirectsOf(reader, part, names)) ?? [];
  const authorities =
    optional(fields.get('certificateAuthority'), (part) => listOf(reader, part, host)) ?? [];
  const removed = optional(fields.get('removed'), (part) => removedOf(reader, part, names)) ?? [];
  const project = projectOf(reader, fields.get('project'));
  const network = await networkOf(reader, fields.get('network'), folder);
  const named = optional(fields.get('primary'), (part) => attached(reader, part, host(reader, part), names));
  const primary = named ?? defaultPrimary(names, redirects);
  if (primary === null && !fields.has('primary') && !reader.hasProblemIn('domains', 'redirects'))
    reader.report({ field: 'primary', node: null, parent: whole.node }, problems.noPrimary);
  if (platformHost === null || primary === null) return null;
  return { plan, platformHost, authorities, domains, primary, redirects, removed, project, network };
};

const attached = (
  reader: FieldReader,
  part: Part,
  name: string | null,
  names: readonly string[],
): string | null =>
  name === null || names.includes(name) ? name : reader.report(part, problems.notAttached(name));

const domainsOf = (
  reader: FieldReader,
  part: Part | undefined,
  platformHost: string,
): readonly AttachedDomain[] => {
  const items = part === undefined ? null : reader.items(part);
  if (part !== undefined && items?.length === 0) reader.report(part, problems.empty);
  const domains = new Map<string, AttachedDomain>();
  for (const item of items ?? []) {
    const domain = domainOf(reader, item, platformHost);
    if (domain === null) continue;
    if (domains.has(domain.name)) reader.report(item, problems.twice(domain.name));
    else domains.set(domain.name, domain);
  }
  return [...domains.values()];
};

const domainOf = (reader: FieldReader, item: Part, platformHost: string): AttachedDomain | null => {
  if (!reader.isMap(item)) {
    const name = host(reader, item);
    return name === null ? null : attachedDomain(name, platformHost);
  }
  const fields = reader.fields(item, parts.domain) ?? new Map<string, Part>();
  const name = optional(fields.get('name'), (part) => host(reader, part));
  const kind = optional(fields.get('kind'), (part) => oneOf(reader, part, ['apex', 'subdomain']));
  const target = optional(fields.get('target'), (part) => host(reader, part)) ?? platformHost;
  const changed = optional(fields.get('changed'), (part) => time(reader, part));
  const verified = optional(fields.get('verified'), (part) => time(reader, part));
  return name === null ? null : { name, kind, target, changed, verified };
};

const redirectsOf = (reader: FieldReader, part: Part, names: readonly string[]): readonly Redirect[] => {
  const redirects = new Map<string, Redirect>();
  for (const item of reader.items(part) ?? []) {
    const fields = reader.fields(item, parts.redirect) ?? new Map<string, Part>();
    const from = optional(fields.get('from'), (field) => fromOf(reader, field, names));
    const to = optional(fields.get('to'), (field) => toOf(reader, field));
    const status = optional(fields.get('status'), (field) => statusOf(reader, field));
    if (from === null || to === null || status === null) continue;
    const key = `${from.from}${from.path ?? ''}`;
    if (redirects.has(key)) reader.report(item, problems.twice(key));
    redirects.set(key, { ...from, to, status });
  }
  return [...redirects.values()];
};

const fromOf = (
  reader: FieldReader,
  part: Part,
  names: readonly string[],
): Pick<Redirect, 'from' | 'path'> | null => {
  const given = reader.text(part);
  if (given === null) return null;
  if (given.includes('://')) return reader.report(part, problems.isUrl(given));
  const [, name = '', path = ''] = /^([^/]*)(.*)$/s.exec(given) ?? [];
  const canonical = hostNameOf(name) ?? reader.report(part, hostProblem(name));
  if (canonical === null || attached(reader, part, canonical, names) === null) return null;
  if (path === '' || path === '/') return { from: canonical, path: null };
  return isPath(path) ? { from: canonical, path } : reader.report(part, problems.notPath(path));
};

const toOf = (reader: FieldReader, part: Part): string | null => {
  const given = reader.text(part);
  if (given === null) return null;
  const text = given.includes('://') ? given : `https://${given}`;
  const url = URL.canParse(text) && !/[\s\\]/.test(text) ? new URL(text) : null;
  const isWebUrl =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    hostNameOf(url.hostname) !== null;
  return isWebUrl ? url.href : reader.report(part, problems.notUrl(given));
};

const statusOf = (reader: FieldReader, part: Part): number | null => {
  const status = reader.whole(part, 100, 599);
  if (status === null) return null;
  return redirectStatuses.includes(status)
    ? status
    : reader.report(part, problems.notOneOf(String(status), redirectStatuses));
};

const removedOf = (reader: FieldReader, part: Part, names: readonly string[]): readonly string[] => {
  const removed = new Set<string>();
  for (const item of reader.items(part) ?? []) {
    const name = host(reader, item);
    if (name === null) continue;
    if (names.includes(name)) reader.report(item, problems.attachedAndRemoved(name));
    else if (removed.has(name)) reader.report(item, problems.twice(name));
    else removed.add(name);
  }
  return [...removed];
};

const projectOf = (reader: FieldReader, part: Part | undefined): Project => {
  const fields = part === undefined ? null : reader.fields(part, parts.project);
  if (fields === null) return defaultProject;
  const path = optional(fields.get('path'), (field) => {
    const given = reader.text(field);
    return given === null || isPath(given) ? given : reader.report(field, problems.notPath(given));
  });
  return {
    path: path ?? defaultProject.path,
    status: optional(fields.get('status'), (field) => reader.whole(field, 100, 599)),
    contains: optional(fields.get('contains'), (field) => reader.text(field)),
  };
};

const networkOf = async (
  reader: FieldReader,
  part: Part | undefined,
  folder: string,
): Promise<NetworkSettings> => {
  const fields = part === undefined ? null : reader.fields(part, parts.network);
  if (fields === null) return defaultNetwork;
  const port = (name: 'dnsPort' | 'httpPort' | 'httpsPort') =>
    optional(fields.get(name), (field) => reader.whole(field, 1, 65_535)) ?? defaultNetwork[name];
  const caPart = fields.get('ca');
  return {
    resolvers: optional(fields.get('resolver'), (field) => listOf(reader, field, endpoint)) ?? [],
    ...{ dnsPort: port('dnsPort'), httpPort: port('httpPort'), httpsPort: port('httpsPort') },
    ca: caPart === undefined ? [] : await certificatesOf(reader, caPart, folder),
    timeoutMs:
      optional(fields.get('timeout'), (field) => reader.whole(field, 1, 600_000)) ?? defaultNetwork.timeoutMs,
  };
};

/** The certificates of a PEM file, each of which can be read. */
const certificatesOf = async (
  reader: FieldReader,
  part: Part,
  folder: string,
): Promise<readonly string[]> => {
  const file = reader.text(part);
  if (file === null) return [];
  const read = await readText(resolve(folder, file));
  if (!read.ok) {
    reader.report(part, read.problem);
    return [];
  }
  const blocks = read.text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || !blocks.every(isCertificate)) reader.report(part, problems.notCertificates);
  return blocks;
};

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
};
