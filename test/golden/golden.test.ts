import { compareWithRecorded } from './compare.ts';
import { servers, withRequests } from './golden.ts';

// The others take a minute of processor time: test/whole-runs/golden.test.ts.
compareWithRecorded([...servers].filter(([name]) => withRequests.has(name)));
