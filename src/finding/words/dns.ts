/** Why DNS gave no answer, by code. */
export const dnsSilence: Readonly<Record<string, string>> = {
  timeout: 'no response in time',
  refused: 'nothing listens there',
  unreachable: 'this machine has no route to it',
  malformed: 'the response is not DNS',
  lame: 'the servers do not know the zone',
};

/** How far a change of DNS has propagated. `ttl`: the seconds left of what the resolver has; null: it agrees. */
export const propagationText = (ttl: number | null): string =>
  ttl === null
    ? 'resolver agrees with the authoritative servers'
    : `resolver differs, ${ttl.toLocaleString('en-US')} s of its TTL left`;

/** Whether a redirect keeps the path. Null: other paths than / do not redirect. */
export const redirectedPathText = (isKept: boolean | null): string => {
  if (isKept === null) return 'no such redirect from other paths';
  return isKept ? 'the redirect keeps the path' : 'the redirect does not keep the path';
};

export const redirectedPathSubject = (name: string): string => `paths of ${name}`;

export const propagationSubject = (name: string): string => `propagation of ${name}`;
