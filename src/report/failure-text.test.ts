import { expect, test } from 'vitest';
import { failureText } from './failure-text.ts';
import { brokenOutcome, failure, hostileStrings } from './testing.ts';

const result = (id: string) => {
  const found = brokenOutcome().requirements.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

test('failureText: requirement, request, expected, actual, seed, curl, replay -> in this order', () => {
  expect(failureText(result('CREATE-9'), failure(), { color: false })).toMatchInlineSnapshot(`
    "✕ CREATE-9 (MUST) int64 values keep full precision: a categoryId above 2^53 comes back as sent, in the response and in the list.
                  The categoryId came back rounded: its last digits are not those that were sent.
      section     Resources and their fields: NewPet
      request     POST http://127.0.0.1:4010/v1/pets
                  {"name":"conformance-1a2b-Rex","categoryId":9007199254740993,"status":"available"}
      response    201 {"id":41,"name":"conformance-1a2b-Rex","categoryId":9007199254740992,"status":"available"}
      expected    categoryId 9007199254740993, as sent
      actual      categoryId 9007199254740992, as sent
                                            ^
      during      CREATE-9 int64 survives the round trip (seed 42, path 3:1, 5 cases failed the same way)
      curl        curl -i -X POST 'http://127.0.0.1:4010/v1/pets' -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" -H 'Content-Type: application/json' --data-raw '{"name":"conformance-1a2b-Rex","categoryId":9007199254740993,"status":"available"}'
      replay      animal-store-conformance run --base-url http://127.0.0.1:4010/v1 --only CREATE-9 --seed 42 --path 3:1"
  `);
});

test.each([
  ['status 200', 'status 404', '^^^'],
  ['"name": "Rex"', '"name": "Max"', '^^^'],
  ['"name": "Rex"', '"name": absent', null],
  ['item 26 of 100: an object', 'item 26 of 100: null', null],
])('failureText: %s, %s -> carets below a different value, none below words', (expected, actual, mark) => {
  const text = failureText(result('CREATE-9'), failure({ expected, actual }), { color: false });
  expect(/^ +(\^+)$/m.exec(text)?.[1] ?? null).toBe(mark);
});

test('failureText: color -> the same text without carets', () => {
  const esc = String.fromCharCode(27);
  const withColor = failureText(result('CREATE-9'), failure(), { color: true });
  const carets = /\n +\^+(?=\n)/;
  expect(withColor).toContain(`${esc}[31m`);
  expect(withColor).toContain(`${esc}[7m2${esc}[27m`);
  expect(withColor.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '')).toBe(
    failureText(result('CREATE-9'), failure(), { color: false }).replace(carets, ''),
  );
});

test('failureText: control characters and line ends from the server -> no cursor movement, no new line', () => {
  const text = failureText(
    result('GEN-4'),
    failure({
      message: hostileStrings,
      expected: `one\n${hostileStrings}`,
      actual: `two\n::error::${hostileStrings}\r${hostileStrings}`,
    }),
    { color: false },
  );
  expect(text.replaceAll(/[\n]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  for (const line of text.split('\n').slice(1)) expect(line).toMatch(/^ {2}/);
  expect(text).not.toMatch(/^\s*::/m);
});

test('failureText: earlier exchanges -> before the request; other requests -> after it', () => {
  const created = {
    request: { method: 'POST', url: 'http://127.0.0.1:4010/v1/pets', headers: {}, body: '{"name":"Rex"}' },
    response: { status: 201, headers: {}, body: '{\n"id":41}' },
  };
  const redirected = {
    request: { method: 'GET', url: 'http://127.0.0.1:4010/v1/pets/41', headers: {}, body: null },
    response: { status: 301, headers: { Location: `/pets/41${hostileStrings}` }, body: '' },
  };
  const text = failureText(
    result('CREATE-9'),
    failure({
      before: [created, redirected, { ...redirected, response: null }],
      others: ['GET /pets/1', `GET /pets/2${hostileStrings}`],
      passed: ['GET /pets/3'],
    }),
    { color: false },
  );
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('  before'));
  expect(lines.slice(at, at + 3)).toEqual([
    '  before      POST /v1/pets {"name":"Rex"} → 201 { ↵ "id":41}',
    expect.stringMatching(/^ {14}GET \/v1\/pets\/41 → 301 Location: \/pets\/41/),
    '              GET /v1/pets/41 → no response',
  ]);
  expect(lines[at + 3]).toMatch(/^ {2}request/);
  expect(text).toMatch(/\n {2}also fails {2}GET \/pets\/1\n {14}GET \/pets\/2/);
  expect(text).toMatch(/\n {2}passes {6}GET \/pets\/3\n {2}during/);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}/);
});

test('failureText: a page of HTML -> its text and its exception, not its style sheet', () => {
  const body =
    '<!doctype html><html><head><title>Caught</title><style>h1 { }</style></head><body><h1>KeyError in <b>create</b></h1><p>no name</p>';
  const response = { status: 500, headers: {}, body };
  const text = failureText(result('CREATE-9'), failure({ response }), { color: false });
  expect(text).toContain(
    '\n  response    500 Caught ↵ KeyError in create ↵ no name\n  exception   KeyError: no name\n',
  );
});

test('failureText: no response -> no response line', () => {
  expect(failureText(result('CREATE-9'), failure({ response: null }), { color: false })).not.toContain(
    '  response',
  );
});

test('failureText: a failure that did not always recur -> how often it was seen', () => {
  expect(failureText(result('CREATE-9'), failure({ seen: 1, tries: 3 }), { color: false })).toContain(
    'seen 1 of 3 times',
  );
});

test('failureText: a line feed in a command -> kept, so that it can be pasted', () => {
  expect(failureText(result('CREATE-9'), failure({ curl: "curl -d 'a\nb'" }), { color: false })).toContain(
    "curl -d 'a\nb'",
  );
});

test('failureText: a very long command -> the name of the report that has it', () => {
  const text = failureText(result('CREATE-9'), failure({ curl: `curl -d '${'x'.repeat(5_000)}'` }), {
    color: false,
  });
  expect(text).toContain('\n  curl        5010 characters: see conformance.json\n');
});

test('failureText: long texts -> cut to the part that differs', () => {
  const value = (middle: string) => `"name": "${'a '.repeat(500)}${middle}${' z'.repeat(500)}"`;
  const text = failureText(
    result('CREATE-9'),
    failure({ expected: value('Zoë, the one'), actual: value('Zo, the one') }),
    { color: false },
  );
  const [expected = '', actual = ''] = text.split('\n').filter((line) => /^ {2}(expected|actual)/.test(line));
  expect(expected).toMatch(/…[a ]{40,60}Zoë, the one z .*…$/);
  expect(actual).toMatch(/…[a ]{40,60}Zo, the one z .*…$/);
  expect(expected.length).toBeLessThan(200);
});
