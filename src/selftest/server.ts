import { isMalformed, type WireRequest } from '../http/exchange.ts';
import { chunksOf, splitBody } from '../http/framing.ts';
import { createPlainTransport } from '../http/in-process.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';
import { incomingRequest } from '../reference/incoming.ts';
import type { KeyGrant } from '../reference/keys.ts';
import type { Fault, Patch } from '../reference/patch.ts';
import { createReference } from '../reference/reference.ts';
import type { Target } from '../run/run-deps.ts';
import { createVirtualClock, type VirtualClock } from '../time/virtual-clock.ts';
import { randomFrom } from '../util/random.ts';
import { named } from './judge.ts';
import type { Task } from './tasks.ts';

/** A body in the pieces in which it arrives, or what is malformed about the message. */
const framed = ({ body, framing }: WireRequest) => {
  if (framing === undefined) return {};
  if (isMalformed(framing)) return { malformed: framing };
  return body === null ? {} : { pieces: framing === 'pieces' ? splitBody(body) : chunksOf(body) };
};

/** What a server of the self-test is made of. */
export interface Recipe {
  readonly patches: readonly Patch[];
  readonly seedPets: number;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  /** What the run is given leave to use up. */
  readonly leave: Permission;
  /** Of the base URL. */
  readonly basePath: string;
}

/** Which limits a run may use up. */
export type Permission = 'nothing' | 'rate-limit-key' | 'exhaust-daily';

/** What a fault or a dialect is made of here; `basePath`: if the server is not at `/v1`. */
type Ingredient = Pick<Fault, 'name' | 'patch' | 'needs' | 'seedPets' | 'now'> & {
  readonly basePath?: string;
};

const usual = { seedPets: 12, now: '2026-06-01T12:00:20Z', basePath: '/v1' };

const ingredientsOf: Readonly<Record<Task['kind'], readonly Ingredient[]>> = {
  fault: faults,
  dialect: dialects,
  combination: dialects,
  degenerate: degenerates,
};

/** What the server of a task is made of. Combinations get every leave short of a day's limit, so that nothing is held against any dialect unseen. */
export const recipeFor = ({ kind, names }: Pick<Task, 'kind' | 'names'>): Recipe => {
  const ingredients = names.map((name) => named(ingredientsOf[kind], { kind, names: [name] }));
  return {
    patches: ingredients.map(({ patch }) => patch),
    seedPets: ingredients.findLast(({ seedPets }) => seedPets !== undefined)?.seedPets ?? usual.seedPets,
    basePath: ingredients.find(({ basePath }) => basePath !== undefined)?.basePath ?? usual.basePath,
    startsAt: Date.parse(ingredients.findLast(({ now }) => now !== undefined)?.now ?? usual.now),
    leave:
      kind === 'combination'
        ? 'rate-limit-key'
        : (ingredients.find(({ needs }) => needs !== undefined)?.needs ?? 'nothing'),
  };
};

const secretOf = (random: () => number): string =>
  Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join('');

const noBody = new Uint8Array();

/** How long each request takes, as on a server nearby: what happens while a run lasts happens here, too. */
const latencyMs = 4;

/** A server of its own, at the beginning of its own time, and the way to it. The same for the same seed. */
export const serve = (
  recipe: Recipe,
  seed: number,
): { readonly target: Target; readonly clock: VirtualClock } => {
  const clock = createVirtualClock(recipe.startsAt);
  const random = randomFrom(~seed);
  const main: KeyGrant = { key: `selftest-main-${secretOf(random)}`, plan: 'business' };
  const spare: KeyGrant = { key: `selftest-spare-${secretOf(random)}`, plan: 'free' };
  const hasSpare = recipe.leave !== 'nothing';
  const reference = createReference({
    clock: clock.inside,
    keys: hasSpare ? [main, spare] : [main],
    random,
    seedPets: recipe.seedPets,
    patches: recipe.patches,
  });
  const transport = createPlainTransport(async (request, connection) => {
    await clock.inside.sleep(latencyMs);
    const { status, headers, body } = await reference.answer(
      incomingRequest({ ...request, ...framed(request) }),
      connection,
    );
    return { status, headers: Object.entries(headers), body: body ?? noBody };
  }, clock);
  const target: Target = {
    baseUrl: `http://localhost${recipe.basePath}`,
    keys: { main: main.key, 'rate-limit': hasSpare ? spare.key : null },
    plans: { main: main.plan, 'rate-limit': hasSpare ? spare.plan : null },
    reference: true,
    transport,
    close: transport.close,
  };
  return { target, clock };
};
