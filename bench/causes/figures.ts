import type { Repair } from './repair.ts';

const share = (part: number, all: number): string =>
  `${part} of ${all}${all === 0 ? '' : ` (${((100 * part) / all).toFixed(1)} %)`}`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** A first root cause that is about no fault, or names a bug that is not there, costs a round without a fix. */
export const roundsOf = ({ rounds }: Repair): number =>
  1 + rounds.length + rounds.filter(({ fault, isWrongBug }) => fault === null || isWrongBug).length;

export const figuresOf = (repairs: readonly Repair[]) => {
  const rounds = repairs.flatMap((repair) => repair.rounds);
  const led = rounds.filter(({ lead }) => lead.isRootCause);
  const kept = sum(led.map((round) => round.kept.length));
  return {
    promised: sum(led.map(({ lead }) => lead.promised.length)),
    kept,
    gone: kept + sum(led.map(({ unpromised }) => unpromised.length)),
    clears: sum(led.map(({ lead }) => lead.clears.length)),
    cleared: sum(led.map(({ lead, stillFailing }) => lead.clears.length - stillFailing.length)),
    rounds: rounds.length,
    rootCauses: led.length,
    wrongBugs: rounds.filter(({ isWrongBug }) => isWrongBug).length,
    unknown: rounds.filter(({ fault }) => fault === null).length,
    late: repairs.filter((repair) => roundsOf(repair) > repair.server.faults.length + 1).length,
    unseen: sum(repairs.map(({ unseen }) => unseen.length)),
  };
};

/** The figures in lines. */
export const figureLines = (repairs: readonly Repair[]): readonly string[] => {
  const figures = figuresOf(repairs);
  const faults = sum(repairs.map(({ server }) => server.faults.length));
  return [
    `servers                             ${repairs.length}, with ${faults} faults, of which ${figures.unseen} never show`,
    `promised failures that went         ${share(figures.kept, figures.promised)}`,
    `promised requirements that passed   ${share(figures.cleared, figures.clears)}`,
    `gone failures that were promised    ${share(figures.kept, figures.gone)}`,
    `fixes by a root cause               ${share(figures.rootCauses, figures.rounds)}`,
    `root causes of a bug not there      ${share(figures.wrongBugs, figures.rounds)}`,
    `root causes of no fault             ${share(figures.unknown, figures.rounds)}`,
    `servers with more than faults + 1 rounds  ${share(figures.late, repairs.length)}`,
  ];
};
