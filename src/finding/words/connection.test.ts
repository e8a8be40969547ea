import { expect, test } from 'vitest';
import { connectionText } from '../../finding/words/connection.ts';
import { failureFacts } from '../../http/failure.ts';

const arrived = { headers: false, bodyBytes: 0 };

const failureOf = (code: string) => failureFacts(Object.assign(new Error('it failed'), { code }), arrived);

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
  const { kind, detail } = failureOf(code);
  expect(kind).toBe('unreachable');
  expect(connectionText(detail)).toBe(`${message} (${code})${advice}`);
});

test('a code of the system -> its sentence; an unknown code -> the connection was closed', () => {
  expect(connectionText(failureOf('ECONNREFUSED').detail)).toBe('the connection was refused');
  expect(connectionText(failureOf('ECONNRESET').detail)).toBe(
    'the server closed the connection without a response',
  );
});

test('a response that is not HTTP -> the words of the parser', () => {
  const error = Object.assign(new Error('Response does not match (Invalid header token)'), {
    name: 'HTTPParserError',
  });
  expect(connectionText(failureFacts(error, arrived).detail)).toBe(
    'the response is not HTTP/1.1: Invalid header token',
  );
});
