import { describe, expect, it } from 'vitest';
import { evil, failure, outcomeOf } from '../../report/testing.ts';
import type { Outcome } from '../../run/outcome.ts';
import { summaryText } from './summary.ts';

const show = (outcome: Outcome, colour = false) =>
  summaryText(outcome, { colour, reports: ['reports/index.html', 'reports/conformance.json'] });
const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe('the summary', () => {
  it('of a conforming target begins with the verdict and ends with totals and reports', () => {
    const text = show(outcomeOf());
    expect(text.trimStart()).toMatch(/^Conformant - http:\/\/127\.0\.0\.1:4010\/v1\n/);
    expect(text).toContain('665 requests sent in 4.2 s, 0 answered 429, 3 animals created');
    expect(text).toMatch(/Reports {7}reports\/index\.html\n {14}reports\/conformance\.json\n$/);
    expect(text).toContain('--seed 42');
  });

  it('of what was not tried says so beside the verdict, and with what it would be', () => {
    const skipped = { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' } as const;
    const results = {
      'RATE-5': skipped,
      'AUTH-6': skipped,
      'LIST-2': { verdict: 'skipped', reason: 'the removal of getPet is still ahead' },
    } as const;
    expect(show(outcomeOf({ results })).trimStart()).toMatch(
      /^Conformant in what was tried - \S+\nNot tried: Rate limits \(RATE-5\): see --rate-limit-key\n/,
    );
  });

  it('tells each failed requirement once, with all that is needed to repeat it', () => {
    const failures = [failure(), failure({ operation: 'listPets', message: 'The list has it rounded.' })];
    const text = show(
      outcomeOf({ verdict: 'nonconformant', results: { 'CREATE-9': { verdict: 'failed', failures } } }),
    );
    expect(text).toContain('Not conformant: 1 requirement fails');
    expect(occurrences(text, '✕ CREATE-9')).toBe(1);
    for (const part of [failure().message, failure().expected, failure().actual, failure().replay]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('also      listPets: The list has it rounded.');
  });

  it('names some of many causes, and says how many more there are', () => {
    const failures = ['one', 'two', 'three', 'four', 'five', 'six'].map((message) => failure({ message }));
    const text = show(
      outcomeOf({ verdict: 'nonconformant', results: { 'CREATE-9': { verdict: 'failed', failures } } }),
    );
    expect(text).toContain('also      createPet: four\n  also      2 more, in the reports\n');
  });

  it('tells once what is the same on several operations', () => {
    const lists = failure({ operation: 'listPets', message: 'GET /pets is slow.' });
    const creates = failure({ message: 'POST /pets is slow.' });
    const text = show(
      outcomeOf({
        verdict: 'nonconformant',
        results: {
          'GEN-4': { verdict: 'failed', failures: [lists, creates] },
          'AUTH-6': { verdict: 'warned', failures: [lists, creates] },
        },
      }),
    );
    expect(text).toContain('\n  also      the same on createPet\n');
    expect(text).toContain('\n      also      the same on createPet\n');
    expect(text).not.toContain('POST /pets is slow.');
  });

  it('writes a request out once, and says with a failure what could not be judged for it', () => {
    const failed = { verdict: 'failed', failures: [failure()] } as const;
    const waits = { verdict: 'inconclusive', blockedBy: 'CREATE-9' } as const;
    const text = show(
      outcomeOf({
        verdict: 'nonconformant',
        results: { 'GEN-1': failed, 'CREATE-9': failed, 'CREATE-11': waits },
      }),
    );
    expect(occurrences(text, '\n  curl ')).toBe(1);
    expect(text).toContain('/v1/pets (as under GEN-1)\n');
    expect(text).toContain('hinders   CREATE-11: could not be judged because of it\n');
  });

  it('puts what fails before what warns before what was not decided', () => {
    const text = show(
      outcomeOf({
        verdict: 'nonconformant',
        results: {
          'VER-1': { verdict: 'failed', failures: [failure()] },
          'AUTH-6': { verdict: 'warned', failures: [failure({ message: 'No challenge.' })] },
          'LIST-2': { verdict: 'inconclusive', reason: 'no more than 20 animals' },
          'RATE-5': { verdict: 'skipped', reason: 'no leave' },
        },
      }),
    );
    const titles = ['VER-1', 'Warnings', 'Observed', 'Inconclusive', 'Skipped', 'Requirements  '];
    const places = titles.map((title) => text.indexOf(title));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain('! AUTH-6');
  });

  it('gives requirements with one reason one line', () => {
    const skipped = { verdict: 'skipped', reason: 'needs --rate-limit-key' } as const;
    const text = show(outcomeOf({ results: { 'RATE-5': skipped, 'RATE-6': skipped } }));
    expect(text).toContain('  RATE-5, RATE-6: needs --rate-limit-key\n');
    const errors = { 'ERR-1': skipped, 'ERR-2': skipped, 'ERR-3': skipped };
    expect(show(outcomeOf({ results: { ...errors, 'RATE-5': skipped } }))).toContain('  ERR, RATE-5: needs');
  });

  it('names known failures, and those that pass again', () => {
    const text = show(
      outcomeOf({
        results: {
          'LIST-2': { verdict: 'failed', known: 'until March', failures: [failure()] },
          'LIST-3': { verdict: 'passed', known: 'until May' },
        },
      }),
    );
    expect(text).toContain('  LIST-2: until March');
    expect(text).toContain('LIST-3 passes again: take it off');
    expect(text).not.toContain(failure().replay);
  });

  it('says why it ended early, and that a fault is its own', () => {
    const text = show(
      outcomeOf({
        verdict: 'not-judged',
        ended: 'no connection could be made',
        results: { 'GEN-1': { verdict: 'error', reason: 'TypeError in the check' } },
      }),
    );
    expect(text).toContain('Not judged');
    expect(text).toContain('Not tested: no connection could be made');
    expect(text).toMatch(/Faults of this suite, not of the server\n {2}GEN-1: TypeError in the check/);
  });

  it('obeys nothing that the target wrote', () => {
    const outcome = outcomeOf({
      verdict: 'nonconformant',
      ended: evil,
      target: { baseUrl: `http://host/${evil}` },
      results: {
        'CREATE-9': {
          verdict: 'failed',
          failures: [
            failure({ message: evil, expected: evil, actual: evil }),
            failure({ operation: evil, message: evil }),
          ],
        },
        'AUTH-6': { verdict: 'warned', failures: [failure({ message: evil })] },
        'LIST-2': { verdict: 'inconclusive', reason: evil },
      },
    });
    const text = show({ ...outcome, observations: [{ id: 'ERR-3', subject: evil, value: evil }] });
    const controls = [...text].filter(
      (character) => /\p{Cc}|\p{Cf}|\p{Cs}/u.test(character) && character !== '\n' && character !== '\t',
    );
    expect(controls).toEqual([]);
  });

  it('is coloured only where it may be', () => {
    expect(show(outcomeOf(), true)).toContain('\u001b[');
    expect(show(outcomeOf())).not.toContain('\u001b[');
  });

  it('does not drown in observations', () => {
    const observations = Array.from({ length: 500 }, (_, n) => ({
      id: 'ERR-3',
      subject: `s${n}`,
      value: `v${n}`,
    }));
    const text = show({ ...outcomeOf(), observations });
    expect(text).toContain('and 440 more in the reports');
    expect(occurrences(text, '  ERR-3 ')).toBe(60);
    const alike = observations.map((observation) => ({ ...observation, value: 'accepted' }));
    expect(show({ ...outcomeOf(), observations: alike })).toContain(
      '\n  ERR-3 accepted (500 cases): s0, s1, s2, s3,',
    );
  });
});
