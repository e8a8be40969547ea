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
    / \/ .*code: '\w+'.* -> (.*code: '(\w+x)?'.*)?$/,
    /const message = detail === undefined/,
    /problems\.ts: .* -> (.*message: '.*|)$/,
  ),
  permitted(
    'The document limits no body, and how a message that is too large ends is not specified.',
    / > MAX_BODY: -> .*( >= MAX_BODY|False):/,
    /reading\.ts: .*\b(maxBodyBytes|tooLarge\b|size > max|size (\+)?= )/,
    /reading\.ts: .* \/ (const declared = |if \(declared)/,
    /problems\.ts: .* \/ 'body-too-large': /,
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
    /const anonymous = \{ limit: /,
    /-> \.\.\.rateLimitHeaders\((60, (59|60)|61, 60), Math\.\w+\(Date\.now\(\) \/ 1000\) \+ \d+\)/,
  ),
  permitted(
    'Ids start anywhere, and may be sparse (CREATE-3).',
    /"id": len\(pets\) \+ 1.* -> .*len\(pets\) [+-] \d/,
    /BigInt\(pets\.length \+ 1\).* -> .*pets\.length [+-] \d/,
    /state\.lastId \+= 1n; -> /,
  ),
  permitted(
    'An invalid limit may be ignored, and an unknown status, too (LIST-5, LIST-7).',
    /if status is not None and status not in STATUSES: -> if False:/,
    /reading\.ts: .* \/ const limit = .* -> .*: 1;/,
    /endpoints\.ts: .* \/ if \(!status\.ok\) .* -> (if \(false\).*)?$/,
    /keep_blank_values=False/,
    /if status is not None and status not in STATUSES: \/ raise bad_request\("status: unknown"\) -> pass/,
    /if \(status !== undefined && !statuses\.includes.* -> if \(false\)/,
    /if \(status !== undefined && !statuses\.includes.* -> $/,
    /not 1 <= int\(limit\) <= 100: -> .*not 0 <= int/,
    /\? Number\((limit|text)\) : 0; -> .*(Number\((limit|text)\) : -?1;|\|\| \/\^|\{1,3\}\/\.test)/,
  ),
  permitted(
    'Other media types are not specified (CREATE-11).',
    /py: .*self\.command == "POST" and not self\.headers\.get\("Content-Type".* -> .*(== "(POSTx)?" and|if False)/,
    / \/ raise bad_request\("Content-Type: expected application\/json"\) -> pass/,
  ),
  permitted(
    'Every status passes for an unknown path, and for orders all but 404, 405, and server failures.',
    /There is no such operation.* -> raise Refusal\(4/,
    /jsonReply\(200, call\.parts\.renderOrders.* -> return jsonReply\(201/,
    /return lambda _: \(200, \[\]\) -> return lambda _: \(201/,
    /listOrders: \(\) => json\(200.* -> .*json\(201/,
  ),
  permitted(
    'A request may count more than once: Remaining may fall by more than one (RATE-4).',
    /count \+ 1 if before == window else 1 -> count = count \+ 2/,
    /windows\.get\(key, \(window, 0\)\) -> .*\(window, 1\)/,
    /before\.count \+ 1 : 1; -> .*(count \+ 2 : 1|count \+ 1 : 2)/,
  ),
  permitted(
    'RATE-8 allows one second after Retry-After, RATE-10 a minute after Reset. Other responses may have the header.',
    /str\(int\(reset - now\) \+ 1\) -> .*int\(reset - now\) \+ [02]/,
    /Math\.ceil\((reset - now|\(retryAt - now\) \/ 1000)\).* -> .*(Math\.floor\(|\/ (999|1001)\))/,
    /py: .*if count > limit: -> if (True|count >= limit):/,
    /retryAfter: .* -> .*Math\.max\(2, /,
  ),
  permitted(
    'The challenge may name another scheme, or another realm.',
    /"WWW-Authenticate"\] = "Bearer" -> .*"Bearerx"/,
    /'www-authenticate': .* -> .*realm="/,
    /'WWW-Authenticate': 'Bearer', -> .*'Bearerx'/,
  ),
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
    'When a ban starts, and what a banned key gets, is not specified (RATE-12).',
    /limits\.ts: .* \/ .*(ignoredWaits|bannedUntil|waitUntil|banned)/,
    /problems\.ts: banned: \{ \/ status: 429/,
  ),
  permitted(
    'A limit of 0 may give an empty list. Repeated parameters are not specified.',
    /limit < 1 \|\| limit > 100\).* -> .*(limit < 0|&& limit < 1)/,
    /if \(count < 1 \|\| .* -> .*count < 0/,
    /if \(more\.length > 0.* -> .*more\.length (< 0|> 1)/,
    /reading\.ts: .* -> .*return \{ ok: true, message: statusRule \};/,
  ),
  permitted(
    'The server may refuse a category that it does not have (CREATE-9), and has no animal with such an id.',
    /-> const int64 = .*(max: 2n \*\* 63n - 2n|min: -\([13]n)/,
  ),
  permitted(
    'Bytes that are not UTF-8 may be replaced.',
    /if \(problems\.length > 0\).* -> .*(problems\.length (< 0|> 1)|if \(false\))/,
  ),
  permitted(
    'How a server ends a connection, and what it does with undocumented methods and paths, is not specified.',
    /listen\.ts: .* \/ (server\.on\('(connect|checkExpectation)'|\['connection', 'close'\]|const keepAliveTimeout)/,
    /const found = Object\.hasOwn.* -> .*(!== 'HEAD'|=== '(HEADx)?')/,
    /const found = Object\.hasOwn.* -> .*(= true|method === false) \?/,
    /listen\.ts: .* \/ (server\.on\('clientError'|server\.closeAllConnections|socket\.on\('error'|if \(!\(error instanceof)/,
    /collection === 'store' && member === 'orders'.* -> if \(true\)/,
    / \/ return route\.problem === 'method-not-allowed' -> /,
    /problems\.ts: 'method-not-allowed': \{ \/ status: 405/,
    /listen\.ts: .* \/ (error instanceof RequestError|hostname: )/,
  ),
  permitted(
    'The document has no HEAD, and clients close the connection after it: servers often send a body.',
    /if self\.command != "HEAD": -> /,
  ),
  permitted(
    'More than one space before the key, and ids whose digits are percent-encoded, are not specified.',
    /key\.strip\(\) not in KEYS: -> .*key not in KEYS/,
    /if \(!path\.includes\('%'\)\) return segments; -> if \(true\)/,
  ),
  permitted(
    'Deprecation and Sunset may be missing (GET-6).',
    /endpoints\.ts: .* \/ (sunset|deprecation): .* -> $/,
  ),
  permitted('An object may repeat a name (RFC 8259 4).', /if \(parsed\.duplicates\.length > 0\) -> /),
  permitted('A server without a Date header.', /date: dateOf\(call\.at\), -> $/),
  permitted(
    'The list may hide an animal that the run did not create, and its animals have any values.',
    /let index = pets\.length - 1; .* -> .*index (> 0|>= -?1);/,
    /reference\.ts: .* \/ await ready; -> $/,
    /categoryId: BigInt\(\(index % 5\) \+ 1\)/,
  ),
  permitted('After its removal getPet may return any 4xx (GET-5).', /-> removed: \{ status: 4\d\d/),
  permitted('Reset is rounded (RATE-2 allows 2 s).', /reset': String\(Math\.ceil.* -> .*Math\.floor/),
  permitted(
    'The order of lists is not specified (LIST-10).',
    /listed\.reverse\(\)\.slice.* -> .*listed\.slice/,
  ),
  equivalent(
    'A later condition refuses the same values.',
    /\[0-9\]\{1,3\}.* -> .*\[0-9\]\{1,4\}/,
    /\[0-9\]\{1,19\}.* -> .*\[0-9\]\{1,20\}/,
    /\\d\{1,19\}.* -> .*\\d\{1,20\}/,
    /\\d\{(1,3|0,2)\}.* -> .*\\d\{0,3\}/,
    /\\d\{1,3\}.* -> .*\\d\{1,4\}/,
    /typeof value !== 'object' \|\| value === null .* -> .*&& value === null/,
    /if \(!path\.includes\('%'\)\) return segments; -> (if \(false\) .*)?$/,
    /\(0\|-\?\[1-9\]\\d\{0,18\}\).* -> .*\\d\{0,17\}/,
    /= isJsonObject\(body\) \? body : \{\}; -> .*true \?/,
    /categoryId: isInt64\(categoryId\) \? categoryId : 0n, -> /,
    /if \(pet !== undefined\) yield pet; -> if \(true\)/,
    /if \(route\.operation !== 'getPet'\) .* -> $/,
    /const pet = id === null \? .* -> .*id === (true|false)/,
    /-> const bearer = .*\]\*\) /,
    / \/ if \(typeof value !== 'object' .* -> (if \(false\) return null;|.*value === null && .*)?$/,
    /if not path\.startswith\("\/v1\/"\): -> if False:/,
    /"\/v1\/pets\/\(\[\^\/\]\+\)".* -> .*\[\^\/\]\*\)/,
  ),
  equivalent(
    'The key has a window of its own, and no other.',
    /keys\.ts: .* \/ (free|pro|business|enterprise): perMinuteAndDay/,
    /keys\.ts: .* \/ export const (minute|day) = /,
    /limits\.ts: .* \/ windowStates\.reduce/,
  ),
  equivalent(
    'Only faults, another plan, a port in use, or a later date need it. Node removes the body of a response to HEAD.',
    /reply\.ts: .* \/ (super\(|this\.name|if \('(bytes|text)' in body)/,
    /listen\.ts: .* \/ (server\.once\('error'|outgoing\.sendDate)/,
    /reference\.ts: .* \/ (const seedNames|for \(let index = 0; index < count)/,
    /reading\.ts: .* \/ return \{ ok: false, problem: 'unreadable' \}; ->/,
    /reading\.ts: .* \/ isReadable: /,
    /reply\.ts: .* \/ (const withoutBody = |const empty = .* -> .*method === '(HEADx)?')/,
    /reference\.ts: .* \/ const (parts = applyPatches|ready = seed)/,
    /problems\.ts: .* \/ unreadable: /,
    /endpoints\.ts: .* \/ (if \(call\.at >= parts\.removedAt.* -> .*'(removedx)?'|if \(!body\.ok\))/,
    /listen\.ts: .* \/ (const reachable = |return RESPONSE_ALREADY_SENT)/,
    /reply\.ts: .* \/ const empty = .* -> .*body === null && method/,
    /endpoints\.ts: .* \/ (removedAt: .*|if \(call\.at >= parts\.removedAt.*) -> (if \(false\).*)?$/,
    /listen\.ts: .* \/ (overrideGlobalObjects: |if \(!socket\.writable)/,
    /endpoints\.ts: .* \/ await (call\.)?parts\.settle\(call\); -> $/,
  ),
  equivalent(
    'A body without a value is not an object.',
    /ok: false, message: `the body (repeats names|is no(t| JSON)).* -> .*return \{ ok: true/,
    /if \(!parsed\.ok\) return parts\.fail.* -> (if \(false\)|$)/,
  ),
  equivalent(
    'Another way to the same result.',
    /if \(presented === null\) return null; -> (if \(false\) return null;)?$/,
    /get\('authorization'\) \?\? ''\)\?\.\[1\] \?\? null; -> .*\[1\];$/,
    /caller: \(call\) => .* -> .*\? '(anonymousx)?' :/,
    /const key = \/\^Bearer \+\(\.\*\)\$\/i.* -> .*(\(\.\*\)\/i|\?\.\[1\];)/,
    /chunks\.length === 1 && chunks\[0\] \?.* -> .*(chunks\[1\] \?|length === [02] &&)/,
    /chunks\.length === 1 && chunks\[0\] \?.* -> .*(chunks\[-1\]|length === false)/,
    /return \{ verdict: 'limited', .* -> .*verdict: ''/,
  ),
  equivalent(
    'Only the first window of a key differs.',
    /windows\.get\(key, \(window, 0\)\) -> .*\(window, -1\)/,
  ),
  equivalent('One animal has an id.', /return 200, found\[0\] -> return 200, found\[-1\]/),
  equivalent('The value is never used.', / \/ const \{ status = 500 \} = error/),
  equivalent(
    'The start of the program, and how it ends.',
    / \/ (daemon_threads|request_queue_size|if __name__ ==|print\(f|server\.close\()/,
  ),
  equivalent(
    'A type is not compiled.',
    /Omit<Pet, /,
    /: (LimitDecision|Result|Listening|object|Promise<\w+>); -> $/,
    /-> .*(Reference|Parts)\['\w*x?'\]/,
    /-> .*Reply\['(headersx)?'\]/,
  ),
];
