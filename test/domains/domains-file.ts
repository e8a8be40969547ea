import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainsSettings } from '../../src/domains/settings.ts';

const time = (ms: number | null): string | undefined =>
  ms === null ? undefined : new Date(ms).toISOString();

/** Writes settings as a file of `domains`, with its root certificates beside it. Returns its path. */
export const writeDomains = (folder: string, settings: DomainsSettings): string => {
  const { network } = settings;
  writeFileSync(join(folder, 'ca.pem'), network.ca.join('\n'));
  const file = {
    plan: settings.plan,
    platformHost: settings.platformHost,
    ...(settings.authorities.length === 0 ? {} : { certificateAuthority: settings.authorities }),
    domains: settings.domains.map(({ name, target, changed, verified }) => ({
      ...{ name, target, changed: time(changed), verified: time(verified) },
    })),
    primary: settings.primary,
    redirects: settings.redirects.map(({ from, path, to, status }) => ({
      from: `${from}${path ?? ''}`,
      to,
      status,
    })),
    removed: settings.removed,
    project: { path: settings.project.path, contains: settings.project.contains },
    network: {
      resolver: network.resolvers.map(({ address, port }) => `${address}:${port}`),
      ...{ dnsPort: network.dnsPort, httpPort: network.httpPort, httpsPort: network.httpsPort },
      ...{ ca: 'ca.pem', timeout: network.timeoutMs },
    },
  };
  const path = join(folder, 'domains.json');
  writeFileSync(path, JSON.stringify(file, null, 2));
  return path;
};
