import { expect, test } from 'vitest';
import { connectionFailure } from './handshake.ts';

test.each([
  ['ECONNREFUSED', 'refused'],
  ['ENETUNREACH', 'unreachable'],
  // The system has no IPv6 at all.
  ['EAFNOSUPPORT', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONNRESET', 'closed'],
])('a connection that fails with %s -> %s', (code, kind) => {
  expect(connectionFailure(code)).toBe(kind);
});
