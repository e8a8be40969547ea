import { conformance } from '../../src/vitest/index.ts';

conformance({ reportDir: 'reports' });
