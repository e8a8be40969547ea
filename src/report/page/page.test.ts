import { expect, test } from 'vitest';
import type { ReasonCode } from '../../oracle/reason.ts';
import { brokenOutcome, failure, outcomeOf, type Story } from '../testing.ts';
import { page } from './page.ts';

const bare = (outcome = brokenOutcome()) => page(outcome);

test('nothing that a target wrote becomes markup, and nothing stays invisible', () => {
  const text = bare();
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<img');
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
});

test('only the script of the page itself may run, and nothing may be loaded', () => {
  const policy =
    /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(bare())?.[1]?.replaceAll('&#39;', "'") ??
    '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  expect(policy.match(/sha256-/g)).toHaveLength(1);
});

test('what got no answer is no exchange in which nothing was wrong', () => {
  const [exchange] = outcomeOf().exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const answered = { ...exchange, response: { status: 200, headers: {}, body: null } };
  const silent = { ...exchange, response: null, failure: 'connection reset', breaches: [] };
  const text = bare({ ...outcomeOf(), exchanges: [answered, silent] });
  expect(text).toContain('1 exchange in which nothing was wrong');
  expect(text).not.toContain('no answer</b>');
});

test('the first screen says whether, what, why, against what, when and with which seed', () => {
  const text = bare();
  const opening = text.slice(0, text.indexOf('<nav'));
  for (const part of [
    'does not conform',
    'CREATE-9',
    'came back rounded',
    'http://127.0.0.1:4010/v1',
    '2026-01-01 00:00:00 UTC',
    '42',
    'free',
    '4.2 s',
  ]) {
    expect(opening).toContain(part);
  }
});

test('what is the same on several operations is told once, and counts as no other cause', () => {
  const failures = ['GET /pets is slow.', 'POST /pets is slow.', 'Another.'].map((message, index) =>
    failure({ message, operation: ['listPets', 'createPet', 'getPet'][index] ?? '' }),
  );
  expect(
    bare(outcomeOf({ verdict: 'nonconformant', results: { 'GEN-4': { verdict: 'failed', failures } } })),
  ).toContain('GET /pets is slow. The same on createPet. And 1 more.</p>');
});

test('a strict run that only warns, and a run that ended early, say so', () => {
  expect(
    bare(outcomeOf({ verdict: 'nonconformant', results: { 'AUTH-6': { verdict: 'warned' } } })),
  ).toContain('1 warning');
  expect(bare(outcomeOf({ ended: 'Interrupted.' }))).toContain('Interrupted.');
  expect(bare(outcomeOf({ verdict: 'not-judged', ended: 'The key is refused.' }))).toContain(
    'The key is refused.',
  );
});

test('a run that ended early, or could decide on less than half, vouches for no more than it judged', () => {
  const title = (story: Story): string | undefined => /<h1>(.*)<\/h1>/.exec(bare(outcomeOf(story)))?.[1];
  const sign = (story: Story) => /<div class="verdict ([a-z]+)"/.exec(bare(outcomeOf(story)))?.[1];
  expect([sign({}), sign({ ended: 'Interrupted.' })]).toEqual(['passed', 'inconclusive']);
  expect(title({})).toBe('This server conforms');
  expect(title({ ended: 'Interrupted.' })).toBe('Nothing speaks against this server as far as it was judged');
  const inconclusive = { verdict: 'inconclusive' as const, reason: 'the key is used up' };
  const undecided = Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, inconclusive]));
  expect(title({ results: undecided })).toBe('Nothing speaks against this server as far as it was judged');
});

test('what the settings left undecided is not counted as tried', () => {
  const undecided = (reasonCode: ReasonCode) => ({ verdict: 'inconclusive', reasonCode }) as const;
  const text = bare(
    outcomeOf({
      results: {
        'CREATE-1': undecided('read-only'),
        'CREATE-5': undecided('read-only'),
        'LIST-2': undecided('store-too-small'),
      },
    }),
  );
  expect(text).toContain('1 requirement was tried and could not be decided (inconclusive).');
  expect(text).toContain('2 requirements were left undecided by the settings of the run (inconclusive).');
});

test('what was not tried is told beside a verdict that nothing speaks against, and apart from what was tried in vain', () => {
  const text = bare(
    outcomeOf({
      results: {
        'RATE-5': { verdict: 'skipped', reasonCode: 'needs-rate-limit-key' },
        'RATE-6': { verdict: 'skipped', reasonCode: 'needs-exhaust-daily' },
        'LIST-2': { verdict: 'inconclusive', reason: 'no more than 20 animals' },
      },
    }),
  );
  expect(text).toContain('<h1>This server conforms in what was tried</h1>');
  expect(text).toContain(
    '1 requirement was tried and could not be decided (inconclusive). 2 requirements were not tried (skipped).</p>',
  );
  expect(text).toContain(
    '<b>Not tried:</b> Rate limits (RATE-5, RATE-6): see --rate-limit-key, --exhaust-daily.</p>',
  );
});

test('a rule that is broken is not to be read as what happened', () => {
  const text = bare();
  expect(text).toContain('<span class="must">Must hold:</span> No input makes the server fail');
  expect(text).toContain('<span class="must">Should hold:</span> 401 carries');
  expect(text.match(/class="must"/g)?.length).toBe(7);
});

test('the words of the page are explained where they are counted', () => {
  const text = bare();
  const opening = text.slice(0, text.indexOf('<nav'));
  for (const word of ['inconclusive', 'skipped', 'MUST', '429', 'seed']) expect(opening).toMatch(`>${word}<`);
});

test('a known failure is set apart, and one that passes again is asked to be taken off the list', () => {
  expect(bare()).toContain('known failure');
  expect(bare(outcomeOf({ results: { 'GEN-1': { known: 'once' } } }))).toContain('take it off the list');
});

test('what an operator may want to tidy up is told, in the words of the interface', () => {
  const told = (story: Story, title?: string): string => {
    const outcome = outcomeOf(story);
    const text = bare(title === undefined ? outcome : { ...outcome, interface: { version: '2.1', title } });
    expect(text).toContain(`for ${title === undefined ? 'interface 1.0.0' : `${title} 2.1`}`);
    return /<section id="created">[\s\S]*?<\/section>/.exec(text)?.[0] ?? '';
  };
  expect(told({ created: 1 })).toContain('1 animal created. The interface has no way to delete one');
  expect(told({ created: 0 })).toContain('no animal was created');
  expect(told({ created: 2 }, 'Parcels')).toContain('2 resources created');
  expect(told({ created: 0 }, 'Parcels')).toContain('Nothing');
  for (const created of [0, 2]) expect(told({ created }, 'Parcels')).not.toMatch(/animal|no way to delete/);
});

test('each requirement shows its verdict, statement, and section', () => {
  const row = /<tbody id="GEN-1"[\s\S]*?<\/tbody>/.exec(bare(outcomeOf()))?.[0] ?? '';
  for (const part of ['passed', 'The status is one', 'Endpoints']) expect(row).toContain(part);
});

test('requests without an answer are shown by the kind of failure, and nothing where there are none', () => {
  const { traffic, ...outcome } = outcomeOf();
  const silent = bare({ ...outcome, traffic: { ...traffic, unanswered: { refused: 7 } } });
  expect(silent).toMatch(/Without an answer<\/caption>.*refused<\/th>/s);
  expect(bare()).not.toContain('Without an answer');
});

test('an untested cell is marked, not left empty', () => {
  expect(bare()).toMatch(/getPet<\/th>\s*<td>404<\/td><td class="number">untested/);
});

test('many long bodies are cut, so that the page stays small', () => {
  const body = 'x'.repeat(200_000);
  const failures = Array.from({ length: 400 }, (_, index) =>
    failure({ message: `Cause ${index}.`, exchange: index, response: { status: 500, headers: {}, body } }),
  );
  const text = bare(
    outcomeOf({ verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures } } }),
  );
  expect(text.length).toBeLessThan(4_000_000);
  expect(text).toContain('Cause 399.');
  expect(text).toContain('whole in traffic.har');
});
