import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

const failureOf = (code: string) =>
  describeFailure(Object.assign(new Error('it failed'), { code }), { headers: false, bodyBytes: 0 });

const rejected = 'the TLS certificate is not accepted';
const ownAuthority = ': if you use your own certificate authority, set NODE_EXTRA_CA_CERTS to its file';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', rejected, ownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', rejected, ownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', rejected, ownAuthority],
  ['CERT_HAS_EXPIRED', rejected, ''],
  ['ERR_TLS_CERT_ALTNAME_INVALID', rejected, ''],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'this port does not speak TLS', ': use http:// in --base-url'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'the TLS handshake failed', ''],
])('%s -> unreachable, with advice if there is any', (code, message, advice) => {
  expect(failureOf(code)).toEqual({ kind: 'unreachable', message: `${message} (${code})${advice}` });
});
