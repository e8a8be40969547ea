import { parseExact, stringifyExact } from './exact-json.ts';

const statuses = ['available', 'pending', 'sold'];

/** An animal. */
export interface Pet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string;
}

/** Where the animals are kept. */
export interface Shelf {
  /** Stores an animal, and returns it with its id. */
  add(pet: Omit<Pet, 'id'>): Pet;
  find(id: bigint): Pet | undefined;
  /** The newest first. `status` undefined: all. */
  newest(count: number, status: string | undefined): readonly Pet[];
}

/** Keeps the animals in memory. */
export const inMemory = (): Shelf => {
  const pets: Pet[] = [];
  return {
    add: (sent) => {
      const pet: Pet = { id: BigInt(pets.length + 1), ...sent };
      pets.push(pet);
      return pet;
    },
    find: (id) => pets.find((pet) => pet.id === id),
    newest: (count, status) =>
      pets
        .filter((pet) => status === undefined || pet.status === status)
        .reverse()
        .slice(0, count),
  };
};

/** What an operation returns, before a framework writes it. */
export interface Result {
  readonly status: number;
  readonly body: string;
}

/** One rate limit: so many requests in each window of so many seconds. */
interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** What comes before every operation. */
interface LimitDecision {
  /** Headers of the response, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the operation may be served. */
  readonly refusal: Result | null;
}

/** The animal store without HTTP: what the document says about it, and nothing that a framework decides. */
export interface Store {
  /** Looks at the key and counts the request. */
  admit(authorization: string | undefined): LimitDecision;
  listPets(query: Readonly<Record<string, unknown>>): Result;
  createPet(body: string): Result;
  getPet(petId: string): Result;
  listOrders(): Result;
  /** An Error for a request that the framework refuses with this status. */
  refuse(status: number): Result;
}

const json = (status: number, value: unknown): Result => ({ status, body: stringifyExact(value) });

const failure = (status: number, code: string, message: string): Result =>
  json(status, { code, message, status });

const badRequest = (message: string): Result => failure(400, 'bad_request', message);

const int64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** A store with these keys, each with its limit. */
export const createStore = (keys: Readonly<Record<string, Limit>>, shelf: Shelf = inMemory()): Store => {
  const count = createCounter();
  return {
    admit: (authorization = '') => {
      const key = /^Bearer +(.*)$/i.exec(authorization)?.[1] ?? '';
      const limit = Object.hasOwn(keys, key) ? keys[key] : undefined;
      return limit === undefined ? unauthorized() : count(key, limit);
    },
    listPets: ({ limit = '20', status }) => {
      const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
      if (count < 1 || count > 100) return badRequest('limit: expected an integer from 1 to 100');
      if (status !== undefined && !statuses.includes(String(status))) return badRequest('status: unknown');
      return json(200, shelf.newest(count, typeof status === 'string' ? status : undefined));
    },
    createPet: (body) => {
      const sent = readNewPet(body);
      if (sent === null) return badRequest('expected a NewPet as JSON');
      return json(201, shelf.add(sent));
    },
    getPet: (petId) => {
      if (!/^-?\d{1,19}$/.test(petId) || !int64(BigInt(petId))) return badRequest('petId: expected an int64');
      const pet = shelf.find(BigInt(petId));
      return pet === undefined
        ? failure(404, 'not_found', 'There is no animal with this id.')
        : json(200, pet);
    },
    listOrders: () => json(200, []),
    refuse: (status) => failure(status, 'refused', 'The request cannot be read.'),
  };
};

/** A valid NewPet; null if the body is not one. */
const readNewPet = (body: string): Omit<Pet, 'id'> | null => {
  const value = readJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { name, categoryId, status = 'available' }: Record<string, unknown> = { ...value };
  if (typeof name !== 'string' || typeof categoryId !== 'bigint' || !int64(categoryId)) return null;
  return typeof status === 'string' && statuses.includes(status) ? { name, categoryId, status } : null;
};

/** Any error means that the text is not JSON, or nested too deep to be read. */
const readJson = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return null;
  }
};

const rateLimitHeaders = (limit: number, remaining: number, reset: number) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(reset),
});

/** Requests without a valid key are not counted. */
const unauthorized = (): LimitDecision => ({
  headers: {
    ...rateLimitHeaders(60, 60, Math.ceil(Date.now() / 1000) + 60),
    'WWW-Authenticate': 'Bearer',
  },
  refusal: failure(401, 'unauthorized', 'The API key is missing or invalid.'),
});

/** Counts requests in fixed windows. */
const createCounter = () => {
  const used = new Map<string, { window: number; count: number }>();
  return (key: string, { requests, seconds }: Limit): LimitDecision => {
    const now = Date.now() / 1000;
    const window = Math.floor(now / seconds);
    const before = used.get(key);
    const count = before?.window === window ? before.count + 1 : 1;
    used.set(key, { window, count });
    const reset = (window + 1) * seconds;
    const headers = rateLimitHeaders(requests, Math.max(0, requests - count), reset);
    if (count <= requests) return { headers, refusal: null };
    return {
      headers: { ...headers, 'Retry-After': String(Math.ceil(reset - now)) },
      refusal: failure(429, 'rate_limited', 'The rate limit is used up.'),
    };
  };
};
