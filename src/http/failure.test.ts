import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

const failureOf = (code: string) =>
  describeFailure(Object.assign(new Error('it failed'), { code }), { headers: false, bodyBytes: 0 });

const refused = 'the TLS certificate is not accepted';
const known = ": if its authority is your own, name that one's file in NODE_EXTRA_CA_CERTS";

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', refused, known],
  ['SELF_SIGNED_CERT_IN_CHAIN', refused, known],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', refused, known],
  ['CERT_HAS_EXPIRED', refused, ''],
  ['ERR_TLS_CERT_ALTNAME_INVALID', refused, ''],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'this port does not speak TLS', ': use http:// in --base-url'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'the TLS handshake failed', ''],
])('%s is no connection, and told with what to do', (code, message, advice) => {
  expect(failureOf(code)).toEqual({ kind: 'unreachable', message: `${message} (${code})${advice}` });
});
