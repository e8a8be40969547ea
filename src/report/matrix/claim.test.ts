import { expect, test } from 'vitest';
import { toReport } from '../conformance.ts';
import { parseReport } from '../read.ts';
import { outcomeOf } from '../testing.ts';
import { toClaim } from './claim.ts';

test('toClaim: the title of a document -> withheld, and the claim is a valid report', () => {
  const report = toReport(outcomeOf());
  const claim = toClaim({ ...report, interface: { ...report.interface, title: 'Internal orders' } });
  expect(JSON.stringify(claim)).not.toContain('Internal');
  expect(parseReport(JSON.stringify(claim), 'claim.json').interface.title).toBe('withheld');
});
