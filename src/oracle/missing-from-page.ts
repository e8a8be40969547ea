import type { Breach } from './finding.ts';
import type { ListProblem } from './problems/lists.ts';
import type { ServerModel } from './rule.ts';

type Page = Omit<Extract<ListProblem, { in: 'page' }>, 'rule' | 'in'>;

/** The creations of so many missing animals are shown. */
const mostCreations = 3;

/**
 * What is wrong with a page that is not full and lacks some of the animals that the run created: with the creations of those that are
 * missing, and beside them of those that are not.
 */
export const missingFromPage = (
  { wanted, listed, most, status }: Page,
  { creationsOf }: Pick<ServerModel, 'creationsOf'>,
): Pick<Breach, 'problem' | 'origin' | 'beside' | 'about'> => {
  const ids = new Set(listed);
  const isListed = ({ id }: Page['wanted'][number]) => ids.has(id);
  const missing = wanted.filter((animal) => !isListed(animal));
  const origin = missing.slice(0, mostCreations).flatMap(({ id }) => creationsOf(id));
  const [first] = origin;
  return {
    problem: {
      rule: 'missing-from-list',
      in: 'page',
      wanted: wanted.map(({ id, at }) => ({ id, at })),
      listed,
      most,
      status,
    },
    origin,
    beside: wanted.filter(isListed).flatMap(({ id }) => creationsOf(id)),
    ...(first === undefined ? {} : { about: { kind: 'creation', exchange: first } }),
  };
};
