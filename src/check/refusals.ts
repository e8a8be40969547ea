/** What is wrong with an own requirement or check, for its author. */
export const ownCheckProblems = {
  prefixTaken: (id: string, prefix: string) =>
    `${id}: the prefix ${prefix} is taken. Use one of your own (try: ACME-1)`,
  idTwice: (id: string) => `${id}: the id is already in use`,
  titleTwice: (id: string) => `${id}: two checks have this title, ignoring case and punctuation`,
  undefined: (id: string) => `${id}: a check tests it, but no defineRequirement defines it`,
  untested: (id: string) => `${id}: no check tests it`,
  unknownDependency: (id: string, other: string) =>
    `${id}: it depends on ${other}, which is not another requirement`,
  notDefined: 'checks, requirements: not made by defineCheck or defineRequirement',
  notCovered: (id: string) => `${id} is not a requirement of this check: name it in covers`,
  noExport: 'exports no check (see defineCheck)',
  needStore: '--checks: own checks test the animal store. Drop --checks or --spec',
} as const;

/** What is wrong with the arguments of `defineRequirement` and `defineCheck`. */
export const definitionProblems = {
  noId: 'defineRequirement: id is missing (try: ACME-1)',
  idForm: (id: string) => `defineRequirement: "${id}" is not a prefix in capitals and a number (try: ACME-1)`,
  noStatement: (id: string) => `defineRequirement: ${id} has no statement`,
  level: (id: string) => `defineRequirement: the level of ${id} is not MUST, SHOULD, or OPEN`,
  noRequirement: 'defineCheck: requirement is missing (try: ACME-1)',
  noTitle: (requirement: string) => `defineCheck: a check of ${requirement} has no title`,
  noRun: (title: string, requirement: string) =>
    `defineCheck: "${title}" of ${requirement} has no function run`,
} as const;

/** The section of an own requirement without one. */
export const ownSection = 'Own requirement';
