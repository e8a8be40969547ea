interface Explanation {
  /** `permitted`: the document allows what the mutant does. `equivalent`: no response shows a difference. */
  readonly kind: 'permitted' | 'equivalent';
  readonly reason: string;
  /** Matched with `FILE: PREVIOUS LINE / LINE BEFORE -> LINE AFTER`, so that they apply to every sample. */
  readonly mutants: readonly RegExp[];
}

const permitted = (reason: string, ...mutants: readonly RegExp[]): Explanation => ({
  kind: 'permitted',
  reason,
  mutants,
});

const equivalent = (reason: string, ...mutants: readonly RegExp[]): Explanation => ({
  kind: 'equivalent',
  reason,
  mutants,
});

/** Mutants that no check has to fail for. */
export const explained: readonly Explanation[] = [
  permitted(
    'The document gives no values of code (ERR-3).',
    /py: .*-> (raise|return) Refusal\(\d+, "(\w+x)?", /,
    /store\.ts: .*-> .*failure\((status|\d+), '(\w+x)?', /,
    /problems\.ts: .*-> .*code: '(\w+x)?'/,
  ),
  permitted(
    'The document limits no body, and how a message that is too large ends is not specified.',
    / > MAX_BODY: -> .*( >= MAX_BODY|False):/,
    / \/ raise Refusal\(413/,
    /MAX_BODY = /,
  ),
  permitted(
    'Enterprise limits are individual. A key that is not valid is no other server.',
    /-> KEYS = \{"example-key": \(\d+, \d+\), "(example-limit-keyx?)?": \(\d+, \d+\)\}/,
  ),
  permitted(
    'Requests without a valid key have no plan: any limit is allowed.',
    /-> headers = rate_limit_headers\((60, (59|60)|61, 60), int\(time\.time\(\)\) \+ \d+\)/,
    /-> \.\.\.rateLimitHeaders\((60, (59|60)|61, 60), Math\.\w+\(Date\.now\(\) \/ 1000\) \+ \d+\)/,
  ),
  permitted(
    'Ids start anywhere (CREATE-3).',
    /"id": len\(pets\) \+ 1.* -> .*len\(pets\) [+-] \d/,
    /BigInt\(pets\.length \+ 1\).* -> .*pets\.length [+-] \d/,
  ),
  permitted(
    'An invalid limit may be ignored, and an unknown status, too (LIST-5, LIST-7).',
    /if status is not None and status not in STATUSES: -> if False:/,
    /if status is not None and status not in STATUSES: \/ raise bad_request\("status: unknown"\) -> pass/,
    /if \(status !== undefined && !statuses\.includes.* -> if \(false\)/,
    /not 1 <= int\(limit\) <= 100: -> .*not 0 <= int/,
    /\? Number\(limit\) : 0; -> .*(Number\(limit\) : -?1;|\|\| \/\^|\{1,3\}\/\.test)/,
  ),
  permitted(
    'Other media types are not specified (CREATE-11).',
    /py: .*self\.command == "POST" and not self\.headers\.get\("Content-Type".* -> .*(== "(POSTx)?" and|if False)/,
    / \/ raise bad_request\("Content-Type: expected application\/json"\) -> pass/,
  ),
  permitted(
    'Every status passes for an unknown path, and for orders all but 404, 405, and server failures.',
    /There is no such operation.* -> raise Refusal\(4/,
    /return lambda _: \(200, \[\]\) -> return lambda _: \(201/,
  ),
  permitted(
    'A request may count more than once: Remaining may fall by more than one (RATE-4).',
    /count \+ 1 if before == window else 1 -> count = count \+ 2/,
    /windows\.get\(key, \(window, 0\)\) -> .*\(window, 1\)/,
    /before\.count \+ 1 : 1; -> .*(count \+ 2 : 1|count \+ 1 : 2)/,
  ),
  permitted(
    'RATE-8 allows one second after Retry-After, and other responses may have the header as well.',
    /str\(int\(reset - now\) \+ 1\) -> .*int\(reset - now\) \+ 0/,
    /Math\.ceil\(reset - now\).* -> .*Math\.floor\(reset - now\)/,
    /py: .*if count > limit: -> if True:/,
  ),
  permitted('The challenge may name another scheme.', /"WWW-Authenticate"\] = "Bearer" -> .*"Bearerx"/),
  permitted(
    'How transfer codings are written is not specified, and gateways refuse chunk extensions: the suite sends none.',
    /-> if self\.headers\.get\("Transfer-Encoding", ""\) == "chunked"/,
    /-> size = int\(self\.rfile\.readline\(\)\.split\(b";"\)\[-1\], 16\)/,
  ),
  permitted(
    'The effect of an unknown field is not specified (CREATE-11), whatever its value is.',
    /raise ValueError\(name\) -> pass/,
  ),
  permitted(
    'The order of lists is not specified (LIST-10).',
    /listed\.reverse\(\)\.slice.* -> .*listed\.slice/,
  ),
  equivalent(
    'A later condition refuses the same values.',
    /\[0-9\]\{1,3\}.* -> .*\[0-9\]\{1,4\}/,
    /\[0-9\]\{1,19\}.* -> .*\[0-9\]\{1,20\}/,
    /\\d\{1,19\}.* -> .*\\d\{1,20\}/,
    /\\d\{1,3\}.* -> .*\\d\{0,3\}/,
    / \/ if \(typeof value !== 'object' .* -> (if \(false\) return null;|.*value === null && .*)?$/,
    /if not path\.startswith\("\/v1\/"\): -> if False:/,
    /"\/v1\/pets\/\(\[\^\/\]\+\)".* -> .*\[\^\/\]\*\)/,
  ),
  equivalent('One animal has an id.', /return 200, found\[0\] -> return 200, found\[-1\]/),
  equivalent('The value is never used.', / \/ const \{ status = 500 \} = error/),
  equivalent(
    'The start of the program, and how it ends.',
    / \/ (daemon_threads|request_queue_size|if __name__ ==|print\(f)/,
  ),
  equivalent('A type is not compiled.', /Omit<Pet, /, /: (Admission|Result|Listening|object); -> $/),
];
