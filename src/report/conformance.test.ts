import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import schema from '../../spec/report.schema.json' with { type: 'json' };
import { conformanceJson, toReport } from './conformance.ts';
import { parseReport, UnreadableReport } from './read.ts';
import { brokenOutcome, hostileStrings, literal, outcomeOf } from './testing.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
const asWritten = (outcome = brokenOutcome()) => JSON.parse(conformanceJson(outcome));

test('report.schema.json: conforming, failed, and not judged runs -> valid', () => {
  for (const outcome of [
    outcomeOf(),
    brokenOutcome(),
    outcomeOf({ verdict: 'not-judged', ended: 'refused' }),
  ]) {
    validate(asWritten(outcome));
    expect(validate.errors).toBeNull();
  }
});

test('report.schema.json: a missing or wrong member -> invalid', () => {
  const changes: readonly ((report: ReturnType<typeof asWritten>) => void)[] = [
    (report) => delete report.created,
    (report) => delete report.requirements[0].section,
    (report) => delete report.traffic.latency,
    (report) => delete report.traffic.unanswered,
    (report) => {
      report.requirements[0].verdict = 'fine';
    },
    (report) => {
      report.requirements.find(({ id }: { id: string }) => id === 'CREATE-9').failures[0].response.status =
        '201';
    },
    (report) => {
      report.schemaVersion = 2;
    },
  ];
  for (const change of changes) {
    const report = asWritten();
    change(report);
    expect(validate(report), change.toString()).toBe(false);
  }
});

test('report.schema.json: every part -> has a description', () => {
  const undescribed: string[] = [];
  const visit = (part: unknown, path: string, isSchema: boolean): void => {
    if (typeof part !== 'object' || part === null) return;
    if (
      isSchema &&
      !('description' in part) &&
      !('$ref' in part) &&
      !('type' in part && part.type === 'null')
    ) {
      undescribed.push(path);
    }
    for (const [name, value] of Object.entries(part)) {
      const containsSchemas = isSchema && ['properties', '$defs', 'oneOf'].includes(name);
      const isPart =
        (!isSchema && path !== '' && !path.endsWith('/required')) ||
        ['items', 'additionalProperties'].includes(name);
      visit(value, `${path}/${name}`, !containsSchemas && isPart);
    }
  };
  visit(schema, '', true);
  expect(undescribed).toEqual([]);
});

test('toReport: fields -> in the documented order, additional ones after them', () => {
  const report = toReport(brokenOutcome());
  const names = (part: object | undefined, count: number) =>
    Object.keys(part ?? {})
      .slice(0, count)
      .join(' ');
  expect(names(report, 11)).toBe(
    'schemaVersion tool interface target startedAt durationMs seed verdict requirements observations traffic',
  );
  const failed = report.requirements.find(({ id }) => id === 'CREATE-9');
  expect(names(failed, 8)).toBe('id level statement verdict known reason checks failures');
  expect(names(failed?.failures[0], 10)).toBe(
    'message operation expected actual request response curl seed path replay',
  );
});

test('conformanceJson: any text from the server -> well-formed JSON of the same report', () => {
  const text = conformanceJson(brokenOutcome());
  expect(text.isWellFormed()).toBe(true);
  expect(parseReport(text, 'a.json')).toEqual(literal(toReport(brokenOutcome())));
  expect(text).toContain(JSON.stringify(literal(hostileStrings)).slice(1, -1));
  expect(text).not.toMatch(/(?<!\\)\\ud[89a-f]/);
});

test('parseReport: an unreadable report -> an error of one line that names it', () => {
  for (const text of ['', '{', '[]', '{"schemaVersion":1}', '{"schemaVersion":2}']) {
    expect(() => parseReport(text, 'old.json')).toThrow(UnreadableReport);
    expect(() => parseReport(text, 'old.json')).toThrow(/^old\.json .*\.$/);
  }
});
