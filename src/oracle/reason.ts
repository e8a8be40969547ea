/**
 * Why a requirement has no clear result, for programs: codes are permanent, sentences are not. Each with the settings that may change it.
 */
const settingsByCode = {
  // Of the run: what it was told, and what ended it.
  'not-selected': [],
  'animal-store-only': [],
  'needs-rate-limit-key': ['--rate-limit-key'],
  'needs-exhaust-daily': ['--exhaust-daily'],
  'needs-risky': ['--risky'],
  'unknown-plan': ['--plan'],
  'unknown-rate-limit': [],
  'path-waived': ['--allow-any-path'],
  'read-only': ['--read-only'],
  'max-creates': ['--max-creates'],
  'max-body': ['--max-body'],
  budget: ['--budget'],
  'max-wait': [],
  'no-key': [],
  'shared-key': [],
  interrupted: [],
  'run-ended': [],
  'not-met-in-shard': [],
  'not-tested': [],
  'suite-error': [],
  // Of the document, and of the date.
  blocked: [],
  'individual-plan': [],
  'not-documented': [],
  'slow-pattern': [],
  'before-removal': [],
  'after-removal': [],
  'removal-day': [],
  // Of the server: what it did instead, or does not have.
  precondition: [],
  'no-response': [],
  timeouts: [],
  'target-gone': [],
  'server-error': [],
  'nothing-created': [],
  'no-animal': [],
  'store-too-small': [],
  'list-too-long': [],
  'unreadable-response': [],
  'id-in-use': [],
  'state-changed': [],
  'not-repeatable': [],
  // Of the rate limit.
  'rate-limit': [],
  'limit-too-high': [],
  'limit-not-reached': [],
  'counting-unclear': [],
  'other-limit': [],
} as const satisfies Readonly<Record<string, readonly `--${string}`[]>>;

export type ReasonCode = keyof typeof settingsByCode;

/** Why a requirement has no clear result: for programs, and for people. */
export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
  /** The requirement that failed, if the code is `blocked`. */
  readonly blockedBy?: string;
}

const settings: ReadonlyMap<string | null, readonly string[]> = new Map(Object.entries(settingsByCode));

/** The settings with which there may be a result; none if the code is not known, as in reports of other versions. */
export const settingsFor = (code: ReasonCode | null): readonly string[] => settings.get(code) ?? [];
