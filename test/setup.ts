import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './support/after-file.ts';

/** Our own tests are repeatable too: another `TEST_SEED` generates other cases. */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

afterAll(endFile);
