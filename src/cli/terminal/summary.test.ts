import { describe, expect, it } from 'vitest';
import { factsOf, failure, hostileStrings, outcomeOf } from '../../report/testing.ts';
import type { Outcome, RequirementResult, ServerFailure } from '../../run/outcome.ts';
import { summaryText } from './summary.ts';

const show = (outcome: Outcome, color = false) =>
  summaryText(outcome, {
    color,
    reports: [
      { path: 'reports/index.html', for: 'people' },
      { path: 'reports/conformance.json', for: 'programs' },
    ],
  });

const failed = (...failures: readonly ReturnType<typeof failure>[]) =>
  ({ verdict: 'failed', failures }) as const;

/** Failures that are not related. */
const unrelated = (index: number) =>
  failure({
    exchange: index,
    response: null,
    message: `GET /pets: expected ${index}, got none`,
    expected: `${index}`,
  });

describe('summaryText', () => {
  it('a conforming server -> the verdict, totals, and reports', () => {
    const text = show(outcomeOf());
    expect(text.trimStart()).toMatch(/^No failures - http:\/\/127\.0\.0\.1:4010\/v1\n/);
    expect(text).toContain('665 requests in 4.2 s, 0 got 429, 3 animals created, seed 42');
    expect(text).toMatch(/Reports {7}reports\/index\.html \(for people\), conformance\.json \(programs\)\n$/);
  });

  it('no failures -> the verdict and what was not tested', () => {
    const skipped = { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' } as const;
    expect(show(outcomeOf({ results: { 'RATE-5': skipped } })).trimStart()).toMatch(
      /^No failures \(1 of 22 MUSTs not tested\) - \S+\nNot tested: RATE-5 \(needs --rate-limit-key\)\n/,
    );
  });

  it('18 failed requirements -> at most 60 lines, with details of 3', () => {
    const ids = outcomeOf()
      .requirements.slice(0, 18)
      .map(({ id }) => id);
    const results = Object.fromEntries(
      ids.map((id, index) => [id, failed(unrelated(index), unrelated(index + 50))]),
    );
    const text = show(outcomeOf({ verdict: 'nonconformant', results }));
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    expect(text).toContain('Failed: 18 of 27 requirements');
    expect(text.match(/^ {2}✕ /gm)).toHaveLength(18);
    expect(text.match(/^ {2}replay/gm)).toHaveLength(3);
    expect(text).toContain('33 more failures, and texts cut with …: --verbose, or index.html in the reports');
  });

  it('verbose -> every failure with details', () => {
    const results = { 'CREATE-9': failed(unrelated(1), unrelated(2)) };
    const outcome = outcomeOf({ verdict: 'nonconformant', results });
    const text = summaryText(outcome, { color: false, verbose: true, reports: [] });
    expect(text.match(/^ {2}replay/gm)).toHaveLength(2);
    expect(text).toContain('\n  ERR-3 code with 400: invalid_request\n');
    expect(text).not.toContain('more failure');
  });

  it('a root cause -> what to fix first, and which failures that clears', () => {
    const text = show(
      outcomeOf({
        verdict: 'nonconformant',
        results: { 'GEN-3': failed(failure()), 'CREATE-9': failed(failure()) },
      }),
    );
    expect(text).toMatch(/\nFix first\n {2}1\. CREATE-9 .+\n {5}clears 2 failures: all of CREATE-9, GEN-3\n/);
    expect(text).toContain('  ✕ GEN-3  (fix 1) The categoryId came back rounded');
    for (const part of [failure().expected, failure().actual, failure().replay]) expect(text).toContain(part);
  });

  it('a requirement with an explained failure and another -> the other one in its line', () => {
    const other = unrelated(9);
    const results = { 'GEN-3': failed(failure(), other), 'CREATE-9': failed(failure()) };
    expect(show(outcomeOf({ verdict: 'nonconformant', results }))).toContain(`  ✕ GEN-3  ${other.message}\n`);
  });

  it('a failure with several inputs follows from a root cause -> cleared in part', () => {
    const status = factsOf({ rule: 'status', allowed: [201], because: 'it is so', wrongStatus: 500 });
    const several = { ...status, inputs: ['limit=0', 'limit=101'], passed: ['GET /pets with limit=5'] };
    const blocked = {
      verdict: 'inconclusive',
      reason: 'x',
      reasonCode: 'blocked',
      blockedBy: 'CREATE-1',
    } as const;
    const results = {
      'CREATE-1': failed(failure({ ...status, exchange: 1 })),
      'CREATE-5': failed(failure({ ...several, exchange: 1 })),
      'CREATE-9': blocked,
    };
    const text = show(outcomeOf({ verdict: 'nonconformant', results }));
    expect(text).toContain('clears 1 failure: all of CREATE-1, and some of CREATE-5; blocks CREATE-9');
    expect(text).toContain('  ✕ CREATE-5  (fix 1 in part) ');
  });

  it('animals that an earlier run left -> which run, and what to do, in each line', () => {
    const left = failed(failure({ leftBy: 'conformance-0abcdef-' }));
    const text = show(outcomeOf({ verdict: 'nonconformant', results: { 'GEN-3': left, 'LIST-1': left } }));
    const source = 'An animal of run conformance-0abcdef is wrong: restart the server, or clean its store.';
    for (const id of ['GEN-3 ', 'LIST-1']) expect(text).toContain(`  ✕ ${id}  ${source}\n`);
  });

  it('inconclusive requirements beside failures -> the reason, once for those with the same', () => {
    const lost = (cases: number): Partial<RequirementResult<ServerFailure>> => ({
      ...{ verdict: 'inconclusive', reasonCode: 'max-creates', reason: `${cases} of 20 cases not run` },
      evidence: { passed: 1, cases: 20, lost: { 'max-creates': cases } },
    });
    const results = {
      'GEN-3': failed(failure()),
      ...{ 'LIST-1': lost(3), 'LIST-2': lost(4) },
      'GET-1': { verdict: 'inconclusive', reason: 'Blocked: CREATE-1 failed' },
    } as const;
    expect(show(outcomeOf({ verdict: 'nonconformant', results }))).toContain(
      '\nInconclusive  3: LIST-1, LIST-2 (cases not run: --max-creates), GET-1 (Blocked: CREATE-1 failed)\n',
    );
  });

  it('all failures of a requirement are explained, by several root causes -> their numbers', () => {
    const [a, b] = [failure({ exchange: 1, expected: 'a' }), failure({ exchange: 2, expected: 'b' })];
    const results = { 'GEN-3': failed({ ...a }, { ...b }), 'CREATE-1': failed(a), 'CREATE-9': failed(b) };
    expect(show(outcomeOf({ verdict: 'nonconformant', results }))).toContain('  ✕ GEN-3  (fixes 1, 2) ');
  });

  it('failed, warned, inconclusive, and skipped requirements -> in this order, one line for each verdict', () => {
    const text = show(
      outcomeOf({
        verdict: 'nonconformant',
        results: {
          'VER-1': failed(failure()),
          'AUTH-6': { verdict: 'warned', failures: [failure({ message: 'No challenge.' })] },
          'LIST-2': { verdict: 'inconclusive', reason: 'no more than 20 animals' },
          'RATE-5': { verdict: 'skipped', reason: 'no key' },
        },
      }),
    );
    const titles = ['VER-1', 'Warned', 'Observations', 'Inconclusive', 'Skipped', 'Requirements  '];
    const places = titles.map((title) => text.indexOf(title));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain('\nInconclusive  1: LIST-2 (no more than 20 animals)\nSkipped       1: RATE-5\n');
    expect(text).not.toContain('No challenge.');
    const withoutFailure = {
      'AUTH-6': { verdict: 'warned', failures: [failure({ message: 'No challenge.' })] },
    } as const;
    expect(show(outcomeOf({ results: withoutFailure }))).toContain('Warnings\n  ! AUTH-6  No challenge.');
  });

  it('a failure that did not repeat each time -> how often it was seen, in the list and beside its details', () => {
    const rare = failed(failure({ seen: 1, tries: 3 }));
    const text = show(outcomeOf({ verdict: 'nonconformant', results: { 'CREATE-1': rare } }));
    expect(text).toMatch(/ {2}✕ CREATE-1 {2}.* \(seen 1 of 3 times\)\n/);
    expect(text).toContain('\n  repeats     seen 1 of 3 times: ');
    const always = failed(failure({ seen: 3, tries: 3 }));
    expect(show(outcomeOf({ verdict: 'nonconformant', results: { 'CREATE-1': always } }))).not.toContain(
      'times',
    );
  });

  it('known failures -> named, also if they pass now', () => {
    const text = show(
      outcomeOf({
        results: {
          'LIST-2': { verdict: 'failed', known: 'until March', failures: [failure()] },
          'LIST-3': { verdict: 'passed', known: 'until May' },
        },
      }),
    );
    expect(text).toContain('  LIST-2: until March');
    expect(text).toContain('LIST-3 passes now: remove it from the known failures');
    expect(text).not.toContain(failure().replay);
  });

  it('nothing tested -> the reason, and no lists', () => {
    const text = show(outcomeOf({ verdict: 'not-judged', ended: 'no connection could be made' }));
    expect(text).toContain('Not judged');
    expect(text).toContain('Not tested: no connection could be made');
    expect(text).not.toContain('Observations');
  });

  it('an error of the suite -> not called a failure of the server', () => {
    const error = { verdict: 'error', reason: 'TypeError in the check' } as const;
    expect(show(outcomeOf({ results: { 'GEN-1': error } }))).toMatch(
      /Errors in the suite, not failures of the server\n {2}GEN-1: TypeError in the check/,
    );
  });

  it('control characters from the server -> not written', () => {
    const outcome = outcomeOf({
      verdict: 'nonconformant',
      ended: hostileStrings,
      target: { baseUrl: `http://host/${hostileStrings}` },
      results: {
        'CREATE-9': {
          verdict: 'failed',
          failures: [
            failure({ message: hostileStrings, expected: hostileStrings, actual: hostileStrings }),
            failure({ operation: hostileStrings, message: hostileStrings }),
          ],
        },
        'AUTH-6': { verdict: 'warned', failures: [failure({ message: hostileStrings })] },
        'LIST-2': { verdict: 'inconclusive', reason: hostileStrings },
      },
    });
    const text = show({
      ...outcome,
      observations: [
        { id: 'ERR-3', subject: hostileStrings, value: hostileStrings, values: [hostileStrings] },
      ],
    });
    const controls = [...text].filter(
      (character) => /\p{Cc}|\p{Cf}|\p{Cs}/u.test(character) && character !== '\n' && character !== '\t',
    );
    expect(controls).toEqual([]);
  });

  it('color -> only if it is on', () => {
    expect(show(outcomeOf(), true)).toContain('\u001b[');
    expect(show(outcomeOf())).not.toContain('\u001b[');
  });
});
