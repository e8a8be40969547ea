import type { Requirement } from '../openapi/requirement.ts';
import { resolveSettings, type SettingSources } from './resolve.ts';

const requirement = (id: string, subject: Requirement['subject'] = 'server'): Requirement => ({
  id,
  level: 'MUST',
  statement: id,
  section: 'Errors',
  subject,
  dependsOn: [],
});
const requirements = [
  ...['GEN-1', 'LIST-1', 'LIST-10', 'CREATE-1', 'CREATE-9'].map((id) => requirement(id)),
  ...['RATE-3', 'RATE-5', 'RATE-11', 'VER-1'].map((id) => requirement(id)),
  requirement('CLIENT-1', 'client'),
];
const resolve = (sources: Partial<SettingSources>) =>
  resolveSettings({ flags: {}, env: {}, file: [], requirements, ...sources });

/** Returns the settings that the sources give; throws if they have problems. */
export const settings = (sources: Partial<SettingSources>) => {
  const resolved = resolve(sources);
  if (!resolved.ok) throw new Error(resolved.problems.join('\n'));
  return resolved.settings;
};

/** Returns the problems of flags and other sources: none if they are accepted. */
export const problems = (flags: SettingSources['flags'], more: Partial<SettingSources> = {}) => {
  const resolved = resolve({ flags, ...more });
  return resolved.ok ? [] : resolved.problems;
};

/** Flags that name a server. */
export const remote = { baseUrl: 'https://host/v1', apiKey: 'canary-main-key' };
