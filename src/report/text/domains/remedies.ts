import { type CaaOwner, type DomainProblem, timeText } from '../../../finding/kinds/domains.ts';

/** A record to create, change, or remove, as a DNS provider asks for it. */
export interface RemedyRecord {
  readonly action: 'create' | 'change' | 'remove';
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
}

/** What to do about a problem. */
export interface Remedy {
  readonly text: string;
  readonly records: readonly RemedyRecord[];
  readonly steps: readonly string[];
  /** RFC 3339: waiting is right until then; null: waiting does not help. */
  readonly wait: string | null;
}

/** "TTL 3600 in the example given". */
const TTL = 3_600;

const record = (action: RemedyRecord['action'], name: string, type: string, value: string): RemedyRecord => ({
  action,
  name,
  type,
  value,
  ttl: TTL,
});

const remedy = (
  text: string,
  records: readonly RemedyRecord[] = [],
  steps: readonly string[] = [],
): Omit<Remedy, 'wait'> => ({ text, records, steps });

const verify = 'Then click Verify: DNS changes can take up to 48 hours, and most take minutes.';

/** "If it is absent after 30 minutes". */
const certificateSteps: readonly string[] = [
  'Re-check verification: in the project settings under Domains, the domain must be verified.',
  'Check that CAA records do not block the certificate authority (DOMAIN-5).',
  'Use Re-verify. A certificate is usually issued within a couple of minutes.',
];

type Remedies = {
  readonly [R in DomainProblem['rule']]: (
    problem: Extract<DomainProblem, { rule: R }>,
  ) => Omit<Remedy, 'wait'>;
};

const certificate = (): Omit<Remedy, 'wait'> =>
  remedy('Have the platform issue a certificate for the domain.', [], certificateSteps);

/** A value without an address may be a typo in the file, so that the record is right. */
const cname = (
  { target, hasAddress }: { readonly target: string; readonly hasAddress: boolean },
  text: string,
  records: readonly RemedyRecord[],
): Omit<Remedy, 'wait'> => {
  const first = `DNS has no address of ${target}: check first that the dashboard shows exactly this value. `;
  return remedy(`${hasAddress ? '' : first}${text} ${verify}`, records);
};

interface Redirecting {
  readonly from: string;
  readonly to: string;
  readonly expected: number;
}

const redirect = ({ from, to, expected }: Redirecting): Omit<Remedy, 'wait'> =>
  remedy(
    `In the redirects of the project, correct the entry with from: ${from}, to: ${to}, status: ${expected}.`,
  );

/** Records of a name that the owner of the domain does not have, or should not have, are another problem. */
const caa = (
  { name, at, owner }: { readonly name: string; readonly at: string; readonly owner: CaaOwner },
  inZone: Omit<Remedy, 'wait'>,
): Omit<Remedy, 'wait'> => {
  const texts = {
    subdomain: `Remove the CAA records of ${at}: they conflict with its CNAME (DOMAIN-4).`,
    platform: `${at} belongs to the platform: report its CAA records to the platform.`,
    alias: `${name} is an alias of ${at}, which has the CAA records: correct the CNAME record (DOMAIN-2).`,
  };
  return owner === 'zone' ? inZone : remedy(`${texts[owner]} Then use Re-verify for ${name}.`);
};

const remedies: Remedies = {
  'plan-too-low': () => remedy('Upgrade the project to Pro or above: custom domains require a paid plan.'),
  'cname-missing': (problem) =>
    cname(problem, `Create a CNAME record for ${problem.name} with the value ${problem.target}.`, [
      record('create', problem.name, 'CNAME', problem.target),
    ]),
  'cname-value': (problem) => {
    const { name, target, value } = problem;
    const text = value.startsWith(`${target}.`)
      ? `The DNS provider appended its zone to the value: write the value with a dot at the end, "${target}.".`
      : `Change the CNAME record of ${name} to exactly the value that the dashboard shows: ${target}.`;
    return cname(problem, text, [record('change', name, 'CNAME', target)]);
  },
  'cname-several': (problem) => {
    const { name, target, values } = problem;
    return cname(problem, `Keep one CNAME record for ${name}, with the value ${target}.`, [
      ...values.filter((value) => value !== target).map((value) => record('remove', name, 'CNAME', value)),
      ...(values.includes(target) ? [] : [record('create', name, 'CNAME', target)]),
    ]);
  },
  'conflicting-record': ({ name, records }) =>
    remedy(
      `Remove the records that conflict with the CNAME of ${name}: they block it, and make verification fail. ${verify}`,
      records.map(({ type, value }) => record('remove', name, type, value)),
    ),
  'apex-cname': ({ name, target, values }) =>
    remedy(
      `Replace the CNAME record of ${name} by an ALIAS or ANAME record with the value ${target}. ${verify}`,
      [
        ...values.map((value) => record('remove', name, 'CNAME', value)),
        record('create', name, 'ALIAS', target),
      ],
    ),
  'apex-no-address': ({ name, target }) =>
    remedy(
      `Create an ALIAS or ANAME record for ${name} with the value ${target}. Not every DNS provider supports it. ${verify}`,
      [record('create', name, 'ALIAS', target)],
    ),
  'apex-addresses': ({ name, target, type, values, isPartlyRight }) => {
    const old = values.map((value) => record('remove', name, type, value));
    return isPartlyRight
      ? remedy(`Remove the ${type} records of ${name}, which are not those of ${target}. ${verify}`, old)
      : remedy(
          `Remove the ${type} records of ${name}, and create an ALIAS or ANAME record with the value ${target}. ${verify}`,
          [...old, record('create', name, 'ALIAS', target)],
        );
  },
  'caa-critical': (problem) =>
    caa(
      problem,
      remedy(
        `Remove the critical CAA records that authorities do not know. Then use Re-verify for ${problem.name}.`,
        problem.values.map((value) => record('remove', problem.at, 'CAA', value)),
      ),
    ),
  'caa-issuer': (problem) =>
    caa(
      problem,
      remedy(
        `Add a CAA record that allows the certificate authority. Then use Re-verify for ${problem.name}.`,
        [record('create', problem.at, 'CAA', `0 issue "${problem.authorities[0] ?? ''}"`)],
      ),
    ),
  'certificate-missing': certificate,
  'certificate-name': certificate,
  'certificate-expired': certificate,
  'certificate-not-yet-valid': certificate,
  'certificate-untrusted': certificate,
  'redirect-status': redirect,
  'redirect-location': redirect,
  'project-not-served': ({ name, because }) =>
    remedy(
      `Check that ${name} is attached to the project, that the latest deploy succeeded, and that it does not redirect elsewhere.${
        because.kind === 'content'
          ? ' If the page is the right one, correct project.contains in the file.'
          : ''
      }`,
    ),
  'removed-served': ({ name }) =>
    remedy(
      `Remove ${name} again (menu next to the domain, then Remove): removing stops its traffic immediately.`,
    ),
};

const remedyFor = <R extends DomainProblem['rule']>(
  rule: R,
  problem: Extract<DomainProblem, { rule: R }>,
): Omit<Remedy, 'wait'> => remedies[rule](problem);

/**
 * What to do about a problem. `until`: the time until which waiting is right; null: waiting does not help. `onlyAt`: the name servers
 * that have the problem, if others do not.
 */
export const remedyOf = (
  problem: DomainProblem,
  until: number | null,
  onlyAt: readonly string[] = [],
): Remedy => {
  const found = remedyFor(problem.rule, problem);
  const servers = onlyAt.join(', ');
  return {
    ...found,
    text: onlyAt.length === 0 ? found.text : `The name servers differ, so correct ${servers}. ${found.text}`,
    wait: until === null ? null : timeText(until),
  };
};
