import { isMalformed, type WireRequest, type WireResponse } from '../http/exchange.ts';
import { chunksOf, splitBody } from '../http/framing.ts';
import { createInProcessTransport } from '../http/in-process.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';
import { incomingRequest } from '../reference/incoming.ts';
import type { KeyGrant } from '../reference/keys.ts';
import type { Fault, Patch } from '../reference/patch.ts';
import { createReference, type Reference } from '../reference/reference.ts';
import type { Target } from '../run/run-deps.ts';
import { createVirtualClock, type VirtualClock } from '../time/virtual-clock.ts';
import { randomFrom } from '../util/random.ts';
import { named } from './judge.ts';
import type { Task } from './tasks.ts';

/** The request with its body in the pieces in which it arrives. */
const framed = ({ framing, ...request }: WireRequest) => {
  if (framing === 'missing length' || isMalformed(framing)) return { ...request, framing };
  const { body } = request;
  if (framing === undefined || body === null) return request;
  return { ...request, pieces: framing === 'pieces' ? splitBody(body) : chunksOf(body) };
};

/** How to set up a server of the self-test. */
export interface ServerSetup {
  readonly patches: readonly Patch[];
  readonly seedPets: number;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  /** What the run may use up. */
  readonly permission: Permission;
  /** The path of the base URL. */
  readonly basePath: string;
}

/** Which limits a run may use up. */
export type Permission = 'nothing' | 'rate-limit-key' | 'exhaust-daily';

/** A fault, dialect, or degenerate server. `basePath`: if the server is not at `/v1`. */
type ServerVariant = Pick<Fault, 'name' | 'patch' | 'needs' | 'seedPets' | 'now'> & {
  readonly basePath?: string;
};

const usual = { seedPets: 12, now: '2026-06-01T12:00:20Z', basePath: '/v1' };

const variantsOf: Readonly<Record<Task['kind'], readonly ServerVariant[]>> = {
  fault: faults,
  dialect: dialects,
  combination: dialects,
  degenerate: degenerates,
};

/** The setup for a task. A combination may use up everything but a daily limit, so that every check that can run tests its dialects. */
export const setupFor = ({ kind, names, base = [] }: Pick<Task, 'kind' | 'names' | 'base'>): ServerSetup => {
  const variants: readonly ServerVariant[] = [
    ...base.map((name) => named<ServerVariant>(dialects, { kind: 'dialect', names: [name] })),
    ...names.map((name) => named(variantsOf[kind], { kind, names: [name] })),
  ];
  return {
    patches: variants.map(({ patch }) => patch),
    seedPets: variants.findLast(({ seedPets }) => seedPets !== undefined)?.seedPets ?? usual.seedPets,
    basePath: variants.find(({ basePath }) => basePath !== undefined)?.basePath ?? usual.basePath,
    startsAt: Date.parse(variants.findLast(({ now }) => now !== undefined)?.now ?? usual.now),
    permission:
      kind === 'combination'
        ? 'rate-limit-key'
        : (variants.findLast(({ needs }) => needs !== undefined)?.needs ?? 'nothing'),
  };
};

const secretOf = (random: () => number): string =>
  Array.from({ length: 16 }, () => Math.floor(random() * 36).toString(36)).join('');

const noBody = new Uint8Array();

/** A reference server as the handler of a transport in this process. */
export const handlerOf =
  (reference: Reference) =>
  async (request: WireRequest, connection: object): Promise<WireResponse> => {
    const incoming = incomingRequest(framed(request));
    const { status, headers, body } = await reference.respond(incoming, connection);
    return { status, headers: Object.entries(headers), body: body ?? noBody };
  };

/** How long each request takes, as on a server nearby, so that time passes during a run. */
const latencyMs = 4;

/** Creates a server with a clock of its own, and a target for it. The same seed gives the same server. */
export const serve = (
  setup: ServerSetup,
  seed: number,
): { readonly target: Target; readonly clock: VirtualClock } => {
  const clock = createVirtualClock(setup.startsAt);
  const random = randomFrom(~seed);
  const main: KeyGrant = { key: `selftest-main-${secretOf(random)}`, plan: 'business' };
  const spare: KeyGrant = { key: `selftest-spare-${secretOf(random)}`, plan: 'free' };
  const hasSpare = setup.permission !== 'nothing';
  const reference = createReference({
    clock: clock.inside,
    keys: hasSpare ? [main, spare] : [main],
    random,
    seedPets: setup.seedPets,
    patches: setup.patches,
  });
  const handle = handlerOf(reference);
  const transport = createInProcessTransport(async (request, connection) => {
    await clock.inside.sleep(latencyMs);
    return handle(request, connection);
  }, clock);
  const target: Target = {
    baseUrl: `http://localhost${setup.basePath}`,
    keys: { main: main.key, 'rate-limit': hasSpare ? spare.key : null },
    plans: { main: main.plan, 'rate-limit': hasSpare ? spare.plan : null },
    reference: true,
    transport,
    close: transport.close,
  };
  return { target, clock };
};
