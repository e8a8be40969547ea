import { suiteErrorText } from './command-line.ts';
import { counted } from './units.ts';

/** What is unexpected about a server of the self-test. */
export const selfTestProblems = {
  broken: suiteErrorText,
  survived: (requirement: string, verdict = 'not tested') => `survived: ${requirement} ${verdict}`,
  imprecise: (requirement: string, others: string) => `killed by ${requirement}, but also failed: ${others}`,
  accepted: 'accepted as a conforming server',
  exit: (exit: number | null, expected: number) => `exit ${exit}, expected ${expected}`,
  notAccepted: 'not accepted, although nothing failed',
  client: (result: string, requirements: string) => `${result}: ${requirements || 'nothing failed'}`,
  falseAlarm: (requirements: string) => `false alarm: ${requirements}`,
} as const;

/** Why a server was not tested. */
export const testProblems = {
  nothingSent: 'nothing was sent',
  threadEnded: 'its thread ended',
  tooLong: (seconds: number) => `it was not done after ${seconds} s`,
} as const;

/** A share, in percent where that is shown. */
interface Share {
  readonly hits: number;
  readonly of: number;
}

/** The lines of the self-test. */
export const selfTestLines = {
  title: (seed: number, jobs: number) => `Self-test, seed ${seed}, ${jobs} at once`,
  begin: (title: string, servers: number) => `${title}: ${counted(servers, 'server')}`,
  progress: (done: number, total: number, problems: number) =>
    `${done} of ${total}${problems === 0 ? '' : `, ${problems} unexpected`}`,
  reportDir: (problem: string) => `--report-dir: ${problem}`,
  interrupted: 'Interrupted: nothing is written.',
  took: (seed: number, whole: string, budgets: string | null) =>
    `Seed ${seed}, ${whole}${budgets === null ? '' : `, and ${budgets} for the budgets`}`,
  seen: (message: string, seen: number, tries: number) => `${message} (${seen} of ${tries} times)`,
  exits: (exit: number | null, expected: number) => `exit ${exit ?? 'none'}, ${expected} expected`,
  repeat: (flags: string, seed: number) =>
    `repeat: animal-store-conformance selftest ${flags} --seed ${seed}`,
} as const;

/** The figures at the end: titles, and what each figure counts. */
export const selfTestFigures = {
  killRate: 'Kill rate',
  kills: ({ hits, of }: Share) => `${hits} of ${counted(of, 'fault')} made their requirement fail`,
  precision: 'Precision',
  precise: ({ hits, of }: Share) => `${hits} of ${counted(of, 'kill')} with nothing else failing`,
  falseAlarms: 'False alarms',
  alarms: ({ of }: Share, unexpected429s: number) =>
    `on ${counted(of, 'server')} without a fault, ${unexpected429s} unexpected 429s`,
  degenerate: 'Degenerate',
  rejected: ({ of }: Share) => `of ${counted(of, 'server')} rejected`,
  clients: 'Clients',
  judged: (killed: Share, accepted: Share) =>
    `${killed.hits} of ${counted(killed.of, 'faulty client')} killed, ${accepted.hits} of ${counted(accepted.of, 'conforming one')} accepted`,
  budget: (requests: number) => `Budget ${requests}`,
  budgetKills: ({ hits, of }: Share, heldOut: Share & { readonly percent: number }, wanted: number) =>
    `${hits} of ${counted(of, 'fault')} killed (held out: ${heldOut.percent} % of ${heldOut.of}, at least ${wanted} %)`,
} as const;
