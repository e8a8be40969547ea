import fc from 'fast-check';

/** Our own tests are repeatable too: another `TEST_SEED` generates other cases. */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
