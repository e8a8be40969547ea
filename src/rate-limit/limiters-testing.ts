/** What a limiter says of one request: served or not, and what the headers show. Times by the server's clock, in ms. */
export interface Said {
  readonly served: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
export type Limiter = (now: number) => Said;

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

/** Refills `limit` evenly in each `windowMs`, and holds `burst` at most, which may be fewer than the limit that it shows. */
export const bucket = (limit: number, windowMs: number, shows: 'next' | 'all', burst = limit): Limiter => {
  let tokens = burst;
  let last: number | null = null;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) * limit) / windowMs);
    last = now;
    const served = tokens >= 1;
    if (served) tokens -= 1;
    const wanted = shows === 'all' ? burst - tokens : 1 - (tokens % 1);
    return { served, limit, remaining: Math.floor(tokens), resetAt: now + (wanted * windowMs) / limit };
  };
};

/** Requests of the window before count for the part of it that a window reaches back to, as if they had been spread evenly. */
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

/** A fixed window in which some requests are charged as two, and refused where only one remains. */
export const chargingTwo = (
  limit: number,
  windowMs: number,
  phase: number,
  isTwo: () => boolean,
): Limiter => {
  let [current, used] = [-1, 0];
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) [current, used] = [index, 0];
    const charge = isTwo() ? 2 : 1;
    const served = used + charge <= limit;
    if (served) used += charge;
    return { served, limit, remaining: limit - used, resetAt: (index + 1) * windowMs - phase };
  };
};

/** Both limits hold, the second one is shown. */
export const showing =
  (hidden: Limiter, shown: Limiter): Limiter =>
  (now) => {
    const [inner, outer] = [hidden(now), shown(now)];
    return { ...outer, served: inner.served && outer.served };
  };

/** Both limits hold; so many answers show the first, as many then the second. */
export const inTurn = (a: Limiter, b: Limiter, answers: number): Limiter => {
  let made = 0;
  return (now) => {
    const [first, second] = [a(now), b(now)];
    made += 1;
    const said = Math.floor(made / answers) % 2 === 0 ? first : second;
    return { ...said, served: first.served && second.served };
  };
};
