import { isKilled } from './judge.ts';
import type { SelfTestReport } from './report.ts';

/** The faults that prove that each requirement can fail, by its id: what `spec/kills.json` holds. */
export type Kills = Readonly<
  Record<string, readonly { readonly name: string; readonly description: string }[]>
>;

/** The kills of a self-test, in the order of the catalogue and of the faults. Only a fault's own requirement counts. */
export const killsOf = ({ requirements, faults }: Pick<SelfTestReport, 'requirements' | 'faults'>): Kills => {
  const killed = faults.filter(isKilled);
  const proofs = requirements.map(({ id }) => {
    const own = killed.filter(({ requirement }) => requirement === id);
    return [id, own.map(({ name, description }) => ({ name, description }))] as const;
  });
  return Object.fromEntries(proofs.filter(([, own]) => own.length > 0));
};
