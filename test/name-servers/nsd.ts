import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askServer } from '../../src/domains/network/dns-query.ts';
import type { DnsRecord } from '../../src/finding/domain-evidence.ts';
import { hosts } from '../../src/reference/domains/world.ts';

/** Names in values of zone files end with a dot, so that the zone is not appended. */
const textOf = ({ type, value }: DnsRecord): string => {
  if (type === 'SOA') {
    const [primary, mailbox] = value.split(' ');
    return `${primary}. ${mailbox}. 1 3600 600 86400 300`;
  }
  return ['CNAME', 'NS', 'MX', 'SRV'].includes(type) ? `${value}.` : value;
};

const zoneFile = (records: readonly DnsRecord[]): string =>
  records.map((record) => `${record.name}. ${record.ttl} IN ${record.type} ${textOf(record)}\n`).join('');

/** The zones in records, each with its own. */
const zonesOf = (records: readonly DnsRecord[]): ReadonlyMap<string, readonly DnsRecord[]> => {
  const zones = records.filter(({ type }) => type === 'SOA').map(({ name }) => name);
  const zoneOf = (name: string) => zones.find((zone) => name === zone || name.endsWith(`.${zone}`)) ?? '';
  return new Map([...Map.groupBy(records, ({ name }) => zoneOf(name))].filter(([zone]) => zone !== ''));
};

const freePort = async (): Promise<number> => {
  const socket = createSocket('udp4').bind(0, hosts.ns1);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
};

const START_MS = 30_000;
const POLL_MS = 50;

/** Starts NSD (Debian: nsd) with the zones of records, at each address of a name server. Throws if it refuses to load them. */
export const startNsd = async (records: readonly DnsRecord[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'nsd-'));
  const port = await freePort();
  const zones = [...zonesOf(records)];
  for (const [zone, own] of zones) writeFileSync(join(folder, `${zone}.zone`), zoneFile(own));
  const config = [
    'server:',
    ...[hosts.ns1, hosts.ns2, hosts.parent].map((address) => `  ip-address: ${address}@${port}`),
    `  zonesdir: "${folder}"\n  database: ""\n  pidfile: ""\n  username: ""\n  chroot: ""`,
    `  xfrdfile: "${folder}/xfrd"\n  zonelistfile: "${folder}/zones"\n  xfrdir: "${folder}"\n  server-count: 1`,
    'remote-control:\n  control-enable: no',
    ...zones.map(([zone]) => `zone:\n  name: "${zone}"\n  zonefile: "${zone}.zone"`),
  ].join('\n');
  writeFileSync(join(folder, 'nsd.conf'), `${config}\n`);
  const child = spawn('nsd', ['-d', '-c', join(folder, 'nsd.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const close = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const server = { name: 'nsd', address: hosts.ns1, port, recursion: false };
  const name = zones[0]?.[0] ?? '';
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    const { response } = await askServer({ server, name, type: 'SOA' }, POLL_MS * 4);
    if (response?.rcode === 'NOERROR') return { port, close };
    if (child.exitCode !== null) break;
    await delay(POLL_MS);
  }
  await close();
  throw new Error(`nsd does not start: ${log}`);
};
