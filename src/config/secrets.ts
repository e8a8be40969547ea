import { createRedactor, type Redact, SHORT_KEY } from '../http/redact.ts';
import { secretsInHeaders } from '../http/redacted-headers.ts';
import { maskedKey } from '../util/masked-key.ts';
import type { RunSettings } from './settings.ts';
import { everyFlag, nameOf, secretPart, settingList } from './table.ts';

/** The places where settings are given, and maybe keys with them. */
interface Sources {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: readonly { readonly name: string; readonly value: unknown }[];
}

/** Every key in any source, also one that another source overrides. A flag in place of a key is not a key: the key was forgotten. */
export const keysIn = ({ flags, env, file }: Sources): readonly string[] =>
  settingList
    .filter(([, { secret }]) => secret)
    .flatMap(([, setting]) => {
      const name = nameOf(setting.flag);
      const inFile = file.filter((entry) => nameOf(`--${entry.name}`) === name).map(({ value }) => value);
      const given = [
        flags[name],
        setting.environment === null ? undefined : env[setting.environment],
        ...inFile,
      ];
      return given
        .flat()
        .filter((raw): raw is string => typeof raw === 'string' && raw !== '' && !everyFlag.has(raw))
        .map((raw) => secretPart(setting, raw));
    });

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Hides keys in a refusal, wherever they were typed. Short keys are hidden if they are quoted, or a whole word of a value. */
export const createRefusalRedactor = (keys: readonly string[]): Redact => {
  const redact = createRedactor(keys);
  const short = keys
    .filter((key) => key !== '' && key.length < SHORT_KEY)
    .map((key) => new RegExp(`(?<=["/ ])${literal(key)}(?=["/:])`, 'g'));
  return (text) => short.reduce((rest, key) => rest.replace(key, (found) => maskedKey(found)), redact(text));
};

/** Every secret of the settings of a run. */
export const secretsOf = ({
  apiKey,
  rateLimitKey,
  headers,
}: Pick<RunSettings, 'apiKey' | 'rateLimitKey' | 'headers'>): readonly string[] => [
  ...[apiKey, rateLimitKey].filter((key) => key !== null),
  ...secretsInHeaders(headers.map(({ name, value }) => [name, value])),
];
