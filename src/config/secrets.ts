import { secretsInHeaders } from '../http/redacted-headers.ts';
import type { RunSettings } from './settings.ts';

/** Every secret of the settings of a run. */
export const secretsOf = ({
  apiKey,
  rateLimitKey,
  headers,
}: Pick<RunSettings, 'apiKey' | 'rateLimitKey' | 'headers'>): readonly string[] => [
  ...[apiKey, rateLimitKey].filter((key) => key !== null),
  ...secretsInHeaders(headers.map(({ name, value }) => [name, value])),
];
