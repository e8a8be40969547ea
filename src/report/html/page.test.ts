import { expect, test } from 'vitest';
import type { ServerFailure, Step } from '../../run/outcome.ts';
import { toReport } from '../conformance.ts';
import { headline } from '../headline.ts';
import { brokenOutcome, failure, outcomeOf, type Scenario } from '../testing.ts';
import { page } from './page.ts';

const bare = (outcome = brokenOutcome()) => page(outcome);

test('page: markup and invisible characters from the server -> visible text', () => {
  const text = bare();
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<img');
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
});

test('page: content security policy -> only its own script, and nothing loaded', () => {
  const policy =
    /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(bare())?.[1]?.replaceAll('&#39;', "'") ??
    '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  expect(policy.match(/sha256-/g)).toHaveLength(1);
});

test('sample exchanges: an exchange without a response -> not shown', () => {
  const [exchange] = outcomeOf().exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const withResponse = { ...exchange, response: { status: 200, headers: {}, body: null } };
  const withoutResponse = { ...exchange, response: null, failure: 'connection reset', breaches: [] };
  const text = bare({ ...outcomeOf(), exchanges: [withResponse, withoutResponse] });
  expect(text).toContain('1 exchange without a failure');
  expect(text).not.toContain('no response</b>');
});

const openingOf = (text: string): string =>
  text
    .slice(text.indexOf('<header'), text.indexOf('<section id="requirements"'))
    .replaceAll(/<span class="nb">(.*?)<\/span>/g, '$1');

/** The part of the page before the requirements. */
const firstScreen = (scenario?: Scenario): string =>
  openingOf(bare(scenario === undefined ? brokenOutcome() : outcomeOf(scenario)));
const title = (scenario: Scenario): string | undefined => /<h1>(.*)<\/h1>/.exec(firstScreen(scenario))?.[1];
const sign = (scenario: Scenario) => /<div class="verdict ([a-z]+)"/.exec(firstScreen(scenario))?.[1];
const openLines = (opening: string): readonly string[] =>
  [...opening.matchAll(/<p class="open">(.*?)<\/p>/g)].map(([, text = '']) =>
    text.replaceAll(/<\/?code>/g, ''),
  );
const open = (scenario: Scenario): readonly string[] => openLines(firstScreen(scenario));
const total = outcomeOf().requirements.length;

test('first screen -> verdict, causes, map, and how to repeat the run', () => {
  const text = firstScreen();
  for (const part of [
    `<h1>2 of ${total} requirements failed</h1>`,
    'Fix first',
    'Integers above 2^53 lose digits',
    'Clears <a href="#CREATE-9">CREATE-9</a>',
    '<a class="cell failed" href="#CREATE-9"',
    'http://127.0.0.1:4010/v1',
    '2026-01-01 00:00:00 UTC',
    '--seed 42',
    'free',
    '4.2 s',
  ]) {
    expect(text).toContain(part);
  }
  expect(text.match(/class="cell /g)).toHaveLength(total);
});

const failed = (...failures: readonly ServerFailure[]) => ({ verdict: 'failed' as const, failures });

test('Fix first: requirements that fail for the same request -> one cause, before causes that clear less', () => {
  const text = firstScreen({
    verdict: 'nonconformant',
    results: {
      'GEN-1': failed(failure({ message: 'Alone.', exchange: 1 })),
      'GEN-3': failed(failure({ message: 'Shared.', exchange: 2 })),
      'ERR-1': failed(failure({ message: 'Shared too.', exchange: 2 })),
    },
  });
  expect(
    [...text.matchAll(/<li id="fix-\d"><div>\s*<h3>(.*?)<\/h3>/g)].map(([, message]) => message),
  ).toEqual(['ERR-1 Shared too.', 'GEN-1 Alone.']);
});

test('Fix first: several failures of a requirement that nothing explains -> one cause that counts them', () => {
  const failures = [1, 2, 3].map((exchange) => failure({ exchange, message: `Cause ${exchange}.` }));
  const text = firstScreen({ verdict: 'nonconformant', results: { 'GEN-1': failed(...failures) } });
  expect(text).toContain('GEN-1 Cause 1. (and 2 more)');
  expect(text).toContain('Clears some of <a href="#GEN-1">');
});

test('a failed requirement -> links to the bugs that make it fail', () => {
  const [one, two] = [failure({ exchange: 1 }), failure({ exchange: 2 })];
  const results = { 'GEN-1': failed(one, two), 'ERR-1': failed({ ...one }), 'ERR-2': failed({ ...two }) };
  const row = /<tbody id="GEN-1"[\s\S]*?<tr class="more">/.exec(
    bare(outcomeOf({ verdict: 'nonconformant', results })),
  )?.[0];
  expect(row).toContain('Cleared by fixes <a href="#fix-1">1</a> <a href="#fix-2">2</a>');
  expect(firstScreen({ verdict: 'nonconformant', results })).toContain('<li id="fix-2">');
});

test('requirement map: known failures -> counted in the plural', () => {
  const known = { ...failed(failure()), known: 'soon' };
  expect(firstScreen({ results: { 'GEN-1': known, 'GEN-2': known } })).toContain('<b>2</b> known failures');
});

test('Fix first: two causes that explain a requirement together -> no third cause', () => {
  const [one, two] = [failure({ exchange: 1 }), failure({ exchange: 2 })];
  const results = { 'GEN-1': failed(one, two), 'ERR-1': failed({ ...one }), 'ERR-2': failed({ ...two }) };
  const text = firstScreen({ verdict: 'nonconformant', results });
  expect(text).toContain('Probably 2 bugs');
  expect(text.match(/and some of <a href="#GEN-1">/g)).toHaveLength(2);
});

test('Fix first: seven causes -> five, and the others folded', () => {
  const ids = ['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4', 'ERR-1', 'ERR-2', 'LIST-1'];
  const results = Object.fromEntries(ids.map((id, exchange) => [id, failed(failure({ exchange }))]));
  const text = firstScreen({ verdict: 'nonconformant', results });
  const [first = '', others = ''] = text.split('<summary>2 more bugs</summary><ol start="6">');
  expect([first, others].map((part) => part.match(/Clears/g)?.length)).toEqual([5, 2]);
  expect(text).toContain('Probably 7 bugs: begin with the first one below.');
});

const inconclusive = (reason: string) => ({ verdict: 'inconclusive', reason }) as const;

test.each<[name: string, scenario: Scenario, sign: string, title: string]>([
  ['everything passed', {}, 'passed', 'No failures'],
  ['ended early', { ended: 'The server went away.' }, 'inconclusive', 'No failures so far'],
  [
    'hardly tested',
    { results: Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, inconclusive('no key')])) },
    'inconclusive',
    'No failures so far',
  ],
  [
    'warnings in a strict run',
    { verdict: 'nonconformant', results: { 'AUTH-6': { verdict: 'warned' } } },
    'warned',
    '1 warning',
  ],
  ['not judged', { verdict: 'not-judged', ended: 'The key is refused.' }, 'inconclusive', 'Not judged'],
  [
    'the suite failed',
    { results: { 'GEN-1': { verdict: 'error' } } },
    'error',
    'The suite itself failed on 1 requirement',
  ],
  [
    'a known failure',
    { results: { 'GEN-1': { ...failed(failure()), known: 'soon' } } },
    'passed',
    'No failures except 1 known failure',
  ],
  [
    'a known failure that passes',
    { results: { 'GEN-1': { known: 'once' } } },
    'warned',
    'Run failed: GEN-1 is listed as a known failure but passes now',
  ],
])('verdict: %s', (_, scenario, expectedSign, expectedTitle) => {
  expect([sign(scenario), title(scenario)]).toEqual([expectedSign, expectedTitle]);
});

test('verdict: not judged -> the headline of the other reports', () => {
  const interrupted: Scenario = { verdict: 'not-judged', ended: 'interrupted' };
  expect([sign(interrupted), title(interrupted)]).toEqual(['inconclusive', headline(outcomeOf(interrupted))]);
});

test('verdict: requirements without a result -> counted beside it, with the options that they need', () => {
  const results = {
    'GET-1': { verdict: 'skipped', reasonCode: 'unknown-plan' },
    'RATE-5': { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' },
    'RATE-6': { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' },
    'CREATE-1': { ...inconclusive('7 of 14 cases not run (--max-creates)'), reasonCode: 'max-creates' },
    'LIST-2': inconclusive('no more than 20 animals'),
  } as const;
  expect(open({ results })).toEqual([
    `3 of ${total} not tested: GET-1 (needs --plan), RATE-5, RATE-6 (need --rate-limit-key)`,
    `2 of ${total} inconclusive: LIST-2 (no more than 20 animals), CREATE-1 (limited by --max-creates)`,
  ]);
  expect(open({})).toEqual([]);
});

test('verdict: one or two reasons -> named; more reasons -> only ids', () => {
  const ids = ['GET-1', 'GET-2', 'LIST-2'];
  const untested = (...reasons: readonly string[]) =>
    open({ results: Object.fromEntries(ids.map((id, at) => [id, inconclusive(reasons[at] ?? '')])) });
  expect(untested('Blocked: GEN-1 failed', 'Blocked: GEN-1 failed', 'No animal')).toEqual([
    `3 of ${total} inconclusive: LIST-2 (no animal), GET-1, GET-2 (blocked: GEN-1 failed)`,
  ]);
  expect(untested('One', 'Two', 'Three')).toEqual([`3 of ${total} inconclusive: LIST-2, GET-1, GET-2`]);
});

test('verdict: what other runs test -> in lines of its own, and not counted as untested', () => {
  const later = {
    verdict: 'skipped',
    reason: 'Applies from 5 December 2030',
    reasonCode: 'before-removal',
  } as const;
  const unselected = { verdict: 'skipped', reasonCode: 'not-selected' } as const;
  const outcome = outcomeOf({ results: { 'GET-1': later, 'GET-2': unselected } });
  const text = page({ ...outcome, shard: { index: 2, of: 4 }, settings: { skip: ['GET-2'] } });
  expect(openLines(openingOf(text))).toEqual([
    'Not tested yet: GET-1 (applies from 5 December 2030)',
    `1 of ${total} not selected: --skip GET-2`,
    'This is shard 2 of 4: the command merge combines the reports',
  ]);
});

test('verdict: nothing was tested -> its reason once', () => {
  const ended = 'cannot connect: the connection was refused';
  const skipped = { verdict: 'skipped', reason: ended, reasonCode: 'run-ended' } as const;
  const results = Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, skipped]));
  const nothing: Scenario = { verdict: 'not-judged', ended, results };
  expect(title(nothing)).toBe('Not judged');
  expect(open(nothing)).toEqual([`None of the ${total} requirements was tested`]);
  expect(bare(outcomeOf(nothing))).not.toContain('<p class="reason">');
});

test('page: requirements that were not selected -> neither listed nor counted', () => {
  const others = outcomeOf().requirements.filter(({ id }) => !id.startsWith('CREATE-'));
  const results = Object.fromEntries(
    others.map(({ id }) => [id, { verdict: 'skipped', reasonCode: 'not-selected' } as const]),
  );
  const chosen = total - others.length;
  const scenario: Scenario = {
    verdict: 'nonconformant',
    results: { ...results, 'CREATE-9': failed(failure()) },
  };
  expect(title(scenario)).toBe(`1 of ${chosen} requirements failed`);
  const text = bare(outcomeOf(scenario));
  expect(text.match(/<tbody id=/g)).toHaveLength(chosen);
  expect(text).toContain(`${others.length} requirements not selected for this run are not listed.`);
});

test('failures: the first of each operation -> before the second of any', () => {
  const failures = ['a1 createPet', 'a2 createPet', 'b1 listPets'].map((text) =>
    failure({ message: text, operation: text.slice(3) }),
  );
  const text = bare(outcomeOf({ verdict: 'nonconformant', results: { 'GEN-1': failed(...failures) } }));
  expect([...text.matchAll(/<summary><span>(\w\d) /g)].map(([, name]) => name)).toEqual(['a1', 'b1', 'a2']);
});

test('a failure with earlier requests -> creations that it mentions are shown, others are folded', () => {
  const step = (method: string, path: string, status: number, body: string): Step => ({
    request: { method, url: `http://127.0.0.1:4010/v1${path}`, headers: {}, body: null },
    response: { status, headers: {}, body },
  });
  const before = [
    step('POST', '/pets', 201, '{"id":9007199254740993}'),
    step('POST', '/pets', 201, '{"id":4}'),
    step('GET', '/pets', 200, '[]'),
  ];
  const request = {
    ...failure().request,
    method: 'GET',
    url: 'http://127.0.0.1:4010/v1/pets/9007199254740993',
  };
  const found = failure({ before, request, expected: 'status 200', actual: 'status 404' });
  const text = bare(outcomeOf({ verdict: 'nonconformant', results: { 'GET-1': failed(found) } }));
  expect(/Sent before<\/p><ul class="sent"><li>(.*?)<\/li><\/ul>/s.exec(text)?.[1]).toBe(
    'POST /v1/pets → 201 {&quot;id&quot;:9007199254740993}',
  );
  expect(text).toContain('<summary>2 other requests of this case</summary>');
});

test('a server error -> its exception', () => {
  const response = { status: 500, headers: {}, body: '{"exception":"KeyError: name"}' };
  const results = { 'GEN-4': { verdict: 'failed', failures: [failure({ response })] } } as const;
  expect(bare(outcomeOf({ verdict: 'nonconformant', results }))).toMatch(
    />Exception<\/p>.{0,40}KeyError: name/,
  );
});

test('rate limits over time -> a picture and a text for each account, and the waits', () => {
  const text = bare();
  expect(text).toContain('API key: 110 requests, 1 got 429, Remaining between 0 and 20 of 60');
  expect(text).toContain('Without a valid key: 5 requests, 0 got 429, no rate limit headers');
  expect(text).toContain('<li>The limit of 60 requests is used up: 1.8 s, starting at 1.2 s</li>');
  const [api = ''] = /<figure class="timeline">.*?<\/figure>/s.exec(text) ?? [];
  expect(api.match(/class="(\w+)"/g)?.toSorted()).toEqual([
    ...['class="limited"', 'class="remaining"', 'class="requests"', 'class="requests"'],
    ...['class="timeline"', 'class="wait"', 'class="window"'],
  ]);
  expect(bare({ ...outcomeOf(), timeline: { intervalMs: 1, accounts: {}, waits: [] } })).not.toContain(
    'Rate limits over time',
  );
});

test('rate limits over time: one response with another limit -> not in the picture, a wait of two accounts -> listed once', () => {
  const { timeline, ...outcome } = outcomeOf();
  const main = [...(timeline?.accounts.main ?? [])];
  main.push({ at: 4_000, requests: 1, limited: 0, remaining: 9_999, limit: 10_000 });
  const waits = (timeline?.waits ?? []).flatMap((wait) => [wait, { ...wait, account: 'anonymous' as const }]);
  const text = bare({ ...outcome, timeline: { intervalMs: 1_000, accounts: { main }, waits } });
  expect(text).toContain('API key: 111 requests, 1 got 429, Remaining between 0 and 20 of 60');
  expect(text.match(/<li>The limit of 60 requests is used up/g)).toHaveLength(1);
});

test('rate limits over time: waits for one reason -> one line; only what the pictures have is explained', () => {
  const { timeline, ...outcome } = outcomeOf();
  const [wait] = timeline?.waits ?? [];
  if (wait === undefined) throw new Error('no wait');
  const waits = [wait, { ...wait, from: 9_000, until: 19_000 }];
  const accounts = { main: [{ at: 0, requests: 1, limited: 0, remaining: null, limit: null }] };
  const text = bare({ ...outcome, timeline: { intervalMs: 1_000, accounts, waits } });
  expect(text).toContain('<li>The limit of 60 requests is used up: 2 waits, 11.8 s in total</li>');
  expect(
    [...text.matchAll(/<i class="key (requests|limited|remaining|window|wait)">/g)].map(([, name]) => name),
  ).toEqual(['requests', 'wait']);
});

test('traffic: paths and methods that are not in the document -> one entry, without response times', () => {
  const { traffic, ...outcome } = outcomeOf();
  const byOperation = { listPets: 5, 'PUT /pets': 1, 'HEAD /pets': 2 };
  const latency = { ...traffic.latency, 'PUT /pets': { p50: 1, p90: 1, p99: 1, max: 1 } };
  const text = bare({ ...outcome, traffic: { ...traffic, byOperation, latency } });
  expect(text).toMatch(/other paths and methods<\/th>.*?<td class="number">3<\/td>/s);
  expect(text).not.toContain('PUT /pets');
});

test('this run -> settings other than the defaults, and the command that repeats the run', () => {
  expect(firstScreen()).toContain('<dt>Settings</dt><dd><code>--max-creates 50</code> </dd>');
  expect(firstScreen()).toContain('--max-creates 50 --seed 42</pre>');
  const withSwitch = openingOf(page({ ...outcomeOf(), settings: { readOnly: true } }));
  expect(withSwitch).toContain('<code>--read-only</code>');
});

test('since the last run -> what newly fails and passes on this server', () => {
  const good = toReport(outcomeOf());
  const bad = toReport(brokenOutcome());
  expect(page(brokenOutcome(), good)).toMatch(
    /Newly failing<\/p><ul><li><a href="#GEN-4">GEN-4<\/a> failed \(was passed\)/,
  );
  expect(page(outcomeOf(), bad)).toMatch(
    /Newly passing<\/p><ul><li><a href="#GEN-4">GEN-4<\/a> passed \(was failed\)/,
  );
  expect(page(outcomeOf(), good)).toContain('No requirement newly fails or passes.');
  const other = { ...bad, target: { ...bad.target, baseUrl: 'http://127.0.0.1:9/v1' } };
  expect(page(outcomeOf(), other)).not.toContain('Since the last run');
});

test('response time: one request -> no percentiles', () => {
  const { traffic, ...outcome } = outcomeOf();
  const latency = { listOrders: { p50: 1, p90: 2, p99: 3, max: 4 } };
  const text = bare({ ...outcome, traffic: { ...traffic, latency, byOperation: { listOrders: 1 } } });
  const figures = [...text.matchAll(/<td class="number">([^<]* ms|–)<\/td>/g)].map(([, figure]) => figure);
  expect(figures).toEqual(['–', '–', '–', '4 ms']);
});

test('first screen -> explains the words of the page', () => {
  const opening = firstScreen();
  for (const word of ['inconclusive', 'skipped', 'MUST', '429', 'seed']) expect(opening).toMatch(`>${word}<`);
});

test('a known failure -> labeled; if it passes, to be removed from the list', () => {
  expect(bare()).toContain('Known: fixed in the next release');
  const passing: Scenario = { results: { 'GEN-1': { known: 'once' } } };
  expect(firstScreen(passing)).toContain('remove it from the known failures');
  expect(bare(outcomeOf(passing))).toContain('Passes now, but is listed as a known failure: once');
});

test('created animals or resources -> listed, named as in the API', () => {
  const shown = (scenario: Scenario, name?: string): string => {
    const { requirements, ...rest } = outcomeOf(scenario);
    const outcome = { ...rest, requirements: requirements.slice(0, 2) };
    const text = bare(
      name === undefined ? outcome : { ...outcome, interface: { version: '2.1', title: name } },
    );
    expect(text).toContain(`<dd>${name ?? 'Animal store'} ${name === undefined ? '1.0.0' : '2.1'}</dd>`);
    if (name !== undefined) expect(text).not.toMatch(/animal(?!-store-conformance)/i);
    return /<details class="fold" id="created">[\s\S]*?<\/details>/.exec(text)?.[0] ?? '';
  };
  expect(shown({ created: 1 })).toContain('1 animal created. The API cannot delete animals');
  expect(shown({ created: 0 })).toContain('No animal was created');
  expect(shown({ created: 2 }, 'Parcels')).toContain('2 resources created');
  expect(shown({ created: 0 }, 'Parcels')).toContain('Nothing was created');
});

test('a requirement -> its verdict, statement, and section', () => {
  const row = /<tbody id="GEN-1"[\s\S]*?<\/tbody>/.exec(bare(outcomeOf()))?.[0] ?? '';
  for (const part of ['passed', 'MUST', 'A response has a status', 'Section: Endpoints'])
    expect(row).toContain(part);
});

test('requests without a response -> their kinds of failure', () => {
  const { traffic, ...outcome } = outcomeOf();
  const text = bare({ ...outcome, traffic: { ...traffic, unanswered: { refused: 7 } } });
  expect(text).toMatch(/Without a response<\/caption>.*refused<\/th>/s);
  expect(bare()).not.toContain('Without a response');
});

test('coverage: a status without responses -> untested', () => {
  expect(bare()).toMatch(/getPet<\/th>\s*<td>404<\/td><td class="number">untested/);
});

test('many long bodies -> cut, so that the page stays small', () => {
  const body = 'x'.repeat(200_000);
  const failures = Array.from({ length: 100 }, (_, index) =>
    failure({ message: `Cause ${index}.`, exchange: index, response: { status: 500, headers: {}, body } }),
  );
  const text = bare(
    outcomeOf({ verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures } } }),
  );
  expect(text.length).toBeLessThan(1_200_000);
  expect(text).toContain('Cause 99.');
  expect(text).toContain('full body in traffic.har');
});
