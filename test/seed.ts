import fc from 'fast-check';

/** Our own tests repeat as runs do: other cases are tried with another `TEST_SEED`. */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
