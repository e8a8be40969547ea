/** The decision about one request, and the headers to show. Times are milliseconds by the server's clock. */
export interface LimiterResult {
  readonly served: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
export type Limiter = (now: number) => LimiterResult;

export const fixed = (limit: number, windowMs: number, phase: number): Limiter => {
  let current = -1;
  let count = 0;
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) count = 0;
    current = index;
    const served = count < limit;
    if (served) count += 1;
    return { served, limit, remaining: limit - count, resetAt: (index + 1) * windowMs - phase };
  };
};

export const sliding = (limit: number, windowMs: number, shows: 'next' | 'all'): Limiter => {
  let times: number[] = [];
  return (now) => {
    times = times.filter((time) => time > now - windowMs);
    const served = times.length < limit;
    if (served) times.push(now);
    const anchor = shows === 'next' ? (times[0] ?? now) : (times.at(-1) ?? now);
    return { served, limit, remaining: limit - times.length, resetAt: anchor + windowMs };
  };
};

/** Refills `limit` evenly in each `windowMs`, up to `burst`, which may be below the limit shown. */
export const bucket = (limit: number, windowMs: number, shows: 'next' | 'all', burst = limit): Limiter => {
  let tokens = burst;
  let last: number | null = null;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) * limit) / windowMs);
    last = now;
    const served = tokens >= 1;
    if (served) tokens -= 1;
    const missing = shows === 'all' ? burst - tokens : 1 - (tokens % 1);
    return { served, limit, remaining: Math.floor(tokens), resetAt: now + (missing * windowMs) / limit };
  };
};

/** A sliding window approximated from the counts of the current and the previous fixed window. */
export const weighted = (limit: number, windowMs: number, phase: number): Limiter => {
  let [current, before, count] = [-1, 0, 0];
  return (now) => {
    const place = (now + phase) / windowMs;
    const index = Math.floor(place);
    if (index !== current) [before, count] = [index === current + 1 ? count : 0, 0];
    current = index;
    const left = (): number => Math.max(0, Math.floor(limit - count - before * (index + 1 - place)));
    const served = left() > 0;
    if (served) count += 1;
    return { served, limit, remaining: left(), resetAt: (index + 1) * windowMs - phase };
  };
};

/** A fixed window that charges some requests as two, and rejects them if only one remains. */
export const chargingDouble = (
  limit: number,
  windowMs: number,
  phase: number,
  isDouble: () => boolean,
): Limiter => {
  let [current, used] = [-1, 0];
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) [current, used] = [index, 0];
    const charge = isDouble() ? 2 : 1;
    const served = used + charge <= limit;
    if (served) used += charge;
    return { served, limit, remaining: limit - used, resetAt: (index + 1) * windowMs - phase };
  };
};

/** Enforces both limits and shows the second one. */
export const withHidden =
  (hidden: Limiter, shown: Limiter): Limiter =>
  (now) => {
    const [inner, outer] = [hidden(now), shown(now)];
    return { ...outer, served: inner.served && outer.served };
  };

/** Enforces both limits and shows each of them by turns, for `count` responses. */
export const alternating = (a: Limiter, b: Limiter, count: number): Limiter => {
  let requests = 0;
  return (now) => {
    const [first, second] = [a(now), b(now)];
    requests += 1;
    const shown = Math.floor(requests / count) % 2 === 0 ? first : second;
    return { ...shown, served: first.served && second.served };
  };
};
