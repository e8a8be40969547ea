import fc from 'fast-check';
import type { ApiDocument, Parameter } from '../src/document/api-document.ts';
import { parameterViolations } from '../src/generate/parameters.ts';
import type { Json, JsonObject } from '../src/json/json.ts';
import { idOf, listedPets } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { excerpt } from '../src/oracle/rule.ts';
import { anyCase, type CaseContext, type Check, type Expectation } from '../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../src/run/fixtures.ts';
import { memoised } from '../src/run/memo.ts';
import { listPets } from '../src/run/probes.ts';
import { createAnimal, listAll, untilSeen } from './support/animals.ts';
import { storeBeyond } from './support/many.ts';

interface Query {
  readonly limit?: number;
  readonly status?: string;
}

const listed: Expectation = {
  requirement: 'LIST-1',
  statuses: [200],
  because: 'the key is valid and so is the query',
};
const accepted: Expectation = {
  requirement: 'LIST-4',
  statuses: [200],
  because: 'limit is an integer from 1 to 100',
};

const filters = ({ statuses }: Fixtures): readonly (string | undefined)[] => [undefined, ...statuses];

const query = (limit: number | undefined, status: string | undefined): Query => ({
  ...(limit === undefined ? {} : { limit }),
  ...(status === undefined ? {} : { status }),
});

/** With a status as well, a refusal need not be for the limit. */
const isPlainLimit = ({ limit, status }: Query): boolean => limit !== undefined && status === undefined;

const send = (context: CaseContext, asked: Query): Promise<Reading> =>
  context.send(listPets({ ...asked, expects: [listed, ...(isPlainLimit(asked) ? [accepted] : [])] }));

export const list: Check<Query> = {
  name: 'LIST-1 the list is an array of animals',
  gives: ['LIST-1'],
  phase: 'whole-list',
  examples: (fixtures) => filters(fixtures).map((status) => query(undefined, status)),
  attempt: async (asked, context) => {
    await send(context, asked);
  },
};

export const defaultLimit: Check<Query> = {
  name: 'LIST-2 without limit at most 20 animals come',
  gives: ['LIST-2'],
  phase: 'late',
  cost: 2,
  examples: (fixtures) => filters(fixtures).map((status) => query(undefined, status)),
  attempt: async (asked, context) => {
    // So many that each status has more than a page.
    await storeBeyond(context, context.fixtures.page.default * (context.fixtures.statuses.length + 1));
    if (asked.status === undefined) await listAll(context);
    await send(context, asked);
  },
};

const limits = ({ page }: Fixtures) => fc.integer({ min: page.minimum, max: page.maximum });

/** LIST-4: the limit is to blame for a refusal where the same status without it is served. */
const judgeRefusedLimit = async (
  context: CaseContext,
  { limit, status }: Query,
  refused: Reading,
): Promise<void> => {
  const twin = await send(context, query(undefined, status));
  if (twin.status !== 200) return;
  context.breach({
    requirement: 'LIST-4',
    rule: 'refused with status',
    message: `GET /pets with status=${status} is served, and with limit=${limit} as well it is not.`,
    expected: 'status 200, as without the limit',
    actual: `status ${refused.status}`,
    exchange: refused.exchange,
  });
};

export const limitIsKept: Check<Query> = {
  name: 'LIST-3 limit is kept to, with and without status',
  gives: ['LIST-3', 'LIST-4'],
  phase: 'late',
  share: 0.2,
  examples: (fixtures) =>
    fixtures.statuses
      .flatMap((status) => [1, 2, 10].map((limit) => query(limit, status)))
      .filter(({ limit = 1 }) => limit <= fixtures.page.maximum),
  arbitrary: (fixtures) =>
    fc.record({ limit: limits(fixtures), status: fc.constantFrom(...fixtures.statuses) }),
  attempt: async (asked, context) => {
    await storeBeyond(context, context.fixtures.page.maximum);
    const reading = await send(context, asked);
    if (reading.status === 200 && listedPets(reading)?.length === asked.limit) context.met('LIST-3');
    if (reading.status !== 200) await judgeRefusedLimit(context, asked, reading);
  },
};

/** While the store is small: a limit may be larger than what there is. */
export const boundsOfLimit: Check<number> = {
  name: 'LIST-4 the bounds of limit are accepted, whatever the store holds',
  gives: ['LIST-4'],
  phase: 'whole-list',
  examples: ({ page }) => [page.maximum, page.maximum - 1, page.minimum],
  attempt: async (limit, context) => {
    await send(context, { limit });
  },
};

export const everyLimit: Check<number> = {
  name: 'LIST-4 every limit within the bounds is accepted',
  gives: ['LIST-3', 'LIST-4'],
  phase: 'late',
  examples: ({ page }) => boundsFirst(page.minimum, page.maximum),
  attempt: async (limit, context) => {
    await storeBeyond(context, context.fixtures.page.maximum);
    await send(context, { limit });
  },
};

/** The bounds, their neighbours, then what lies between. */
const boundsFirst = (minimum: number, maximum: number): readonly number[] => {
  const all = Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index);
  const first = [maximum, minimum, maximum - 1, minimum + 1, 20, 21, 19, 10, 50].filter((limit) =>
    all.includes(limit),
  );
  return [...new Set([...first, ...all])];
};

interface OddText {
  readonly label: string;
  readonly text: string;
}

const violationsOf = memoised((document: ApiDocument) =>
  memoised((parameter: Parameter) => parameterViolations(parameter, document.root)),
);

const oddParameter =
  (name: 'limit' | 'status', most: number) =>
  ({ document }: Fixtures): readonly OddText[] => {
    const parameter = document.operations
      .find(({ id }) => id === 'listPets')
      ?.parameters.find((each) => each.name === name);
    if (parameter === undefined) return [];
    const texts = violationsOf(document)(parameter).flatMap(({ label, examples }) =>
      examples.slice(0, most).map((text) => ({ label, text })),
    );
    return [...new Map(texts.map((odd) => [odd.text, odd])).values()];
  };

/** How the target takes a query that the document gives no meaning: 4xx and a valid 200 both pass. */
const tolerant =
  (requirement: string, parameter: 'limit' | 'status') =>
  async ({ label, text }: OddText, context: CaseContext) => {
    if (parameter === 'limit') await storeBeyond(context, context.fixtures.page.maximum);
    const probe = listPets({
      ...(parameter === 'limit' ? { limit: '' } : { status: { raw: '' } }),
      space: 'outside',
      label: `${excerpt(text, 80)} (${label})`,
      expects: [
        {
          requirement,
          statuses: [200, '4xx'],
          because: 'it may be refused or ignored, but must not make the server fail',
        },
      ],
    });
    const reading = await context.send({ ...probe, request: { ...probe.request, query: text } });
    context.observe(requirement, `${parameter} that is invalid`, String(reading.status));
  };

export const invalidLimit: Check<OddText> = {
  name: 'LIST-5 an invalid limit does no harm',
  gives: ['LIST-5'],
  phase: 'late',
  examples: (fixtures) => [
    ...oddParameter('limit', 2)(fixtures),
    { label: 'given twice', text: 'limit=1&limit=2' },
    { label: 'as an array', text: 'limit%5B%5D=1' },
  ],
  arbitrary: ({ page }) =>
    fc
      .oneof(fc.integer({ max: page.minimum - 1 }), fc.integer({ min: page.maximum + 1 }))
      .map((limit) => ({ label: 'out of bounds', text: `limit=${limit}` })),
  share: 0.2,
  attempt: tolerant('LIST-5', 'limit'),
};

export const statusFilter: Check<Query> = {
  name: 'LIST-6 every animal listed by status has that status',
  gives: ['LIST-6'],
  phase: 'late',
  examples: (fixtures) =>
    fixtures.statuses.flatMap((status) => [
      query(undefined, status),
      query(5, status),
      query(fixtures.page.maximum, status),
    ]),
  attempt: async (asked, context) => {
    await send(context, asked);
  },
};

const oddStatuses = [
  '',
  "'",
  '"',
  'constructor',
  '__proto__',
  'toString',
  's'.repeat(300),
  // Still below what proxies take for too long.
  's'.repeat(4_000),
  'available,sold',
  '%',
];

export const invalidStatus: Check<OddText> = {
  name: 'LIST-7 an unknown status does no harm',
  gives: ['LIST-7'],
  phase: 'main',
  examples: (fixtures) => [
    ...oddParameter('status', 2)(fixtures),
    ...oddStatuses.map((status) => ({
      label: 'outside the enumeration',
      text: `status=${encodeURIComponent(status)}`,
    })),
  ],
  attempt: tolerant('LIST-7', 'status'),
};

/** Looks for an animal in a list that is seen whole: found, missing, or not to be told. */
const findListed = async (
  context: CaseContext,
  { id, at }: CreatedPet,
  status?: string,
  page?: 'maximum' | 'default',
) => {
  let found: JsonObject | null = null;
  let full = false;
  let reading: Reading | null = null;
  await untilSeen(context, at, async () => {
    const all = await listAll(context, status, page);
    reading = all.reading;
    full = !all.whole;
    found = all.pets.find((pet) => idOf(pet) === id) ?? null;
    return found !== null || full ? all : null;
  });
  return { found: found as JsonObject | null, full, reading: reading as Reading | null };
};

export const createdIsListed: Check<JsonObject> = {
  name: 'LIST-8 a created animal is listed, under its status too',
  gives: ['LIST-8'],
  phase: 'whole-list',
  cost: 4,
  examples: ({ statuses }) => [...statuses.map((status) => ({ status })), {}],
  attempt: async (members, context) => {
    const animal = await createAnimal(context, members);
    const own = context.fixtures.statuses.filter((status) => status === animal.pet.status);
    for (const status of [...own, undefined]) {
      const { found, full, reading } = await findListed(context, animal, status);
      const where = status === undefined ? 'the list' : `the list of status ${status}`;
      if (found !== null) context.met('LIST-8');
      else if (full) context.undecided('LIST-8', `${where} is longer than one page, and order is not shown`);
      else if (reading !== null) {
        context.breach({
          requirement: 'LIST-8',
          rule: status === undefined ? 'not listed' : 'not listed by status',
          message: `The animal ${animal.id} was created and is missing from ${where}, although the page is not full.`,
          expected: `the animal with "id":${animal.id} in the list`,
          actual: `${listedPets(reading)?.length ?? 0} animals, without it`,
          exchange: reading.exchange,
        });
      }
    }
    await judgeDefaultPage(context, animal);
  },
};

/** Where there are few animals, the list without any parameter is whole as well. */
const judgeDefaultPage = async (context: CaseContext, animal: CreatedPet): Promise<void> => {
  const { found, full, reading } = await findListed(context, animal, undefined, 'default');
  if (found !== null || full || reading === null) return;
  context.breach({
    requirement: 'LIST-8',
    rule: 'not listed by default',
    message: `The animal ${animal.id} was created and is missing from GET /pets without parameters, although the page is not full.`,
    expected: `the animal with "id":${animal.id} in the list`,
    actual: `${listedPets(reading)?.length ?? 0} animals, without it`,
    exchange: reading.exchange,
  });
};

export const shortIsWhole: Check<Query> = {
  name: 'LIST-8 a page that is not full holds every animal it should',
  gives: ['LIST-8'],
  phase: 'late',
  looksBack: true,
  examples: (fixtures) =>
    [
      ...fixtures.statuses.flatMap((status) =>
        [undefined, 1, 50, fixtures.page.maximum].map((limit) => query(limit, status)),
      ),
      ...[50, 99, fixtures.page.maximum].map((limit) => query(limit, undefined)),
    ].filter(({ limit = 1 }) => limit <= fixtures.page.maximum),
  attempt: async (asked, context) => {
    await storeBeyond(context, context.fixtures.page.maximum);
    const most = asked.limit ?? context.fixtures.page.default;
    const wanted = context.fixtures
      .created()
      .filter(({ pet }) => asked.status === undefined || pet.status === asked.status);
    const newest = wanted.reduce((latest, { at }) => Math.max(latest, at), 0);
    let last: Reading | null = null;
    let missing: readonly bigint[] = [];
    await untilSeen(context, newest, async () => {
      const reading = await send(context, asked);
      const pets = listedPets(reading);
      last = null;
      if (reading.status !== 200 || pets === null || pets.length >= most) return reading;
      const ids = new Set(pets.map(idOf));
      last = reading;
      missing = wanted.map(({ id }) => id).filter((id) => !ids.has(id));
      return missing.length === 0 ? reading : null;
    });
    const reading = last as Reading | null;
    if (reading === null)
      return context.undecided('LIST-8', 'the page is full: it need not hold every animal');
    if (missing.length === 0) return wanted.length > 0 ? context.met('LIST-8') : undefined;
    context.breach({
      requirement: 'LIST-8',
      rule: asked.status === undefined ? 'short page' : 'short page by status',
      message: `The page is not full, so it is the whole list; yet ${missing.length} of the ${wanted.length} animals that the run created are missing from it.`,
      expected: `${most} animals, or all of ${wanted.length} created ones, ${missing[0]} among them`,
      actual: `${listedPets(reading)?.length ?? 0} animals, without ${missing.slice(0, 5).join(', ')}`,
      exchange: reading.exchange,
    });
  },
};

export const distinctIds: Check<Query> = {
  name: 'LIST-9 no animal stands twice in one answer',
  gives: ['LIST-9'],
  phase: 'late',
  examples: (fixtures) => filters(fixtures).map((status) => query(fixtures.page.maximum, status)),
  attempt: async (asked, context) => {
    await storeBeyond(context, context.fixtures.page.maximum);
    await send(context, asked);
  },
};

const pagingHeaders = ['link', 'x-total-count', 'x-next-page', 'x-next-cursor', 'x-page', 'content-range'];

const orderOf = (pets: readonly JsonObject[]): string => {
  const orders: readonly (readonly [string, (pet: JsonObject) => Json | undefined])[] = [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
  ];
  for (const [member, read] of orders) {
    const values = pets.map(read);
    const steps = values.slice(1).map((value, index) => compare(values[index], value));
    if (steps.length > 1 && steps.every((step) => step === -1)) return `by ${member}, rising`;
    if (steps.length > 1 && steps.every((step) => step === 1)) return `by ${member}, falling`;
  }
  return 'none that is plain';
};

const compare = (a: Json | undefined, b: Json | undefined): -1 | 0 | 1 => {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
};

export const orderAndPaging: Check<null> = {
  name: 'LIST-10 order and paging are observed',
  gives: ['LIST-10'],
  phase: 'late',
  examples: () => [null],
  attempt: async (_, context) => {
    const { pets, reading } = await listAll(context);
    context.observe('LIST-10', 'order', orderOf(pets));
    const headers = pagingHeaders.filter((name) => reading.header(name).length > 0);
    context.observe('LIST-10', 'paging headers', headers.length === 0 ? 'none' : headers.join(', '));
  },
};

export const lists: readonly Check<unknown>[] = [
  anyCase(list),
  anyCase(boundsOfLimit),
  anyCase(createdIsListed),
  anyCase(invalidLimit),
  anyCase(invalidStatus),
  anyCase(defaultLimit),
  anyCase(limitIsKept),
  anyCase(statusFilter),
  anyCase(shortIsWhole),
  anyCase(distinctIds),
  anyCase(orderAndPaging),
  anyCase(everyLimit),
];
