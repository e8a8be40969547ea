import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { junitXml } from './junit.ts';
import { brokenOutcome, failure, outcomeOf } from './testing.ts';

interface Element {
  readonly [name: string]: string | readonly Element[];
}

/** The document as nested elements: attributes under `@name`, text under `#text`, children in lists. */
const parse = (xml: string): Element =>
  new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    processEntities: true,
    isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  }).parse(xml);

const children = (element: Element, name: string): readonly Element[] => {
  const found = element[name];
  return typeof found === 'object' ? found : [];
};

const only = (elements: readonly Element[]): Element => {
  expect(elements).toHaveLength(1);
  return elements[0] ?? {};
};

const number = (element: Element, name: string): number => {
  expect(element[`@${name}`]).toMatch(/^\d+$/);
  return Number(element[`@${name}`]);
};

/** Checks the elements, attributes, and totals that the JUnit schema of CI systems requires. */
const expectJUnit = (xml: string): readonly Element[] => {
  expect(XMLValidator.validate(xml)).toBe(true);
  const root = only(children(parse(xml), 'testsuites'));
  const suites = children(root, 'testsuite');
  const cases = suites.flatMap((suite) => {
    const own = children(suite, 'testcase');
    expect(number(suite, 'tests')).toBe(own.length);
    for (const [total, element] of [
      ['failures', 'failure'],
      ['errors', 'error'],
      ['skipped', 'skipped'],
    ] as const) {
      expect(number(suite, total)).toBe(
        own.filter((testcase) => children(testcase, element).length > 0).length,
      );
    }
    expect(suite['@name']).toBeTruthy();
    expect(suite['@timestamp']).toMatch(/^\d{4}-\d\d-\d\dT/);
    return own;
  });
  expect(number(root, 'tests')).toBe(cases.length);
  for (const testcase of cases) {
    expect(testcase['@name']).toBeTruthy();
    expect(testcase['@classname']).toMatch(/^conformance\.[A-Z]+$/);
    expect(testcase['@time']).toMatch(/^\d+(\.\d+)?$/);
    const elements = Object.keys(testcase).filter((name) => !name.startsWith('@') && name !== '#text');
    const endings = elements.filter((name) => name !== 'system-out');
    expect(endings.length).toBeLessThanOrEqual(1);
    for (const ending of endings) {
      expect(['failure', 'error', 'skipped']).toContain(ending);
      expect(only(children(testcase, ending))['@message']).toBeTruthy();
    }
  }
  return cases;
};

const endingOf = (cases: readonly Element[], id: string): string => {
  const testcase = cases.find((element) => String(element['@name']).startsWith(`${id} `)) ?? {};
  return ['failure', 'error', 'skipped'].find((name) => name in testcase) ?? 'passed';
};

const caseOf = (cases: readonly Element[], id: string): string =>
  JSON.stringify(cases.find((element) => String(element['@name']).startsWith(`${id} `)));

test('junitXml: a conforming run -> a passed test case for each requirement', () => {
  const cases = expectJUnit(junitXml(outcomeOf()));
  expect(cases).toHaveLength(outcomeOf().requirements.length);
  expect(cases.every((testcase) => !('failure' in testcase) && !('skipped' in testcase))).toBe(true);
});

test('junitXml: a failure, an error of the suite, no result -> different elements', () => {
  const cases = expectJUnit(junitXml(brokenOutcome()));
  expect(
    Object.fromEntries(
      ['CREATE-9', 'GEN-4', 'RATE-6', 'LIST-2', 'RATE-5', 'LIST-6', 'AUTH-6', 'GEN-1'].map((id) => [
        id,
        endingOf(cases, id),
      ]),
    ),
  ).toEqual({
    'CREATE-9': 'failure',
    'GEN-4': 'failure',
    'RATE-6': 'error',
    'LIST-2': 'skipped',
    'RATE-5': 'skipped',
    'LIST-6': 'skipped',
    'AUTH-6': 'passed',
    'GEN-1': 'passed',
  });
  expect(caseOf(cases, 'LIST-6')).toContain('fixed in the next release');
  expect(caseOf(cases, 'LIST-2')).toContain('The store holds 20 animals or fewer.');
  expect(caseOf(cases, 'AUTH-6')).toContain('Warning (SHOULD)');
  expect(caseOf(cases, 'CREATE-9')).toContain('9007199254740993');
});

test('junitXml: markup from the server -> text', () => {
  const cases = expectJUnit(junitXml(brokenOutcome()));
  expect(caseOf(cases, 'GEN-4')).toContain('</script><script>alert(1)');
  expect(junitXml(brokenOutcome()).isWellFormed()).toBe(true);
});

test('junitXml: a known failure that passes -> a failure that says what to do', () => {
  const cases = expectJUnit(junitXml(outcomeOf({ results: { 'GEN-1': { known: 'once broken' } } })));
  expect(endingOf(cases, 'GEN-1')).toBe('failure');
  expect(caseOf(cases, 'GEN-1')).toContain('remove it from the known failures');
});

test('junitXml: a server that cannot be tested -> an error, not only skipped test cases', () => {
  const messagesOf = (xml: string) =>
    expectJUnit(xml).flatMap((testcase) => ('error' in testcase ? [JSON.stringify(testcase.error)] : []));
  const ended = 'Every operation returned 401';
  expect(messagesOf(junitXml(outcomeOf({ verdict: 'not-judged', ended })))).toEqual([
    expect.stringContaining(ended),
  ]);
  expect(messagesOf(junitXml(outcomeOf({ verdict: 'not-judged' })))).toHaveLength(1);
});

test('junitXml: a test case -> the time of its checks; a suite -> their sum', () => {
  const [first = ''] = junitXml(outcomeOf()).split('</testsuite>');
  const times = [...first.matchAll(/ time="([\d.]+)"/g)].map(([, time]) => Number(time));
  const [, suite, ...own] = times;
  expect(own).toEqual(own.map(() => 0.25));
  expect(suite).toBeCloseTo(own.length * 0.25);
});

test('junitXml: several failures of a requirement -> one element that names all', () => {
  const failures = [failure({ message: 'First.' }), failure({ message: 'Second.' })];
  const cases = expectJUnit(
    junitXml(outcomeOf({ verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures } } })),
  );
  expect(caseOf(cases, 'GEN-1')).toContain('First. (and 1 more)');
  expect(caseOf(cases, 'GEN-1')).toContain('Second.');
});
