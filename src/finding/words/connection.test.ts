import { expect, test } from 'vitest';
import { connectionText } from '../../finding/words/connection.ts';
import { failureFacts } from '../../http/failure.ts';

const arrived = { headers: false, bodyBytes: 0 };

const failureOf = (code: string) => failureFacts(Object.assign(new Error('it failed'), { code }), arrived);

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /is self-signed \(\w+\): set NODE_EXTRA_CA_CERTS to/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /authority that is not trusted \(\w+\): set NODE_EXTRA_CA_CERTS to/],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    /no known issuer: .* \(\w+\): configure the server to send the whole chain/,
  ],
  ['CERT_HAS_EXPIRED', /has expired \(\w+\): renew it/],
  ['CERT_NOT_YET_VALID', /not valid yet \(\w+\): compare the clocks/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /for another host name \(\w+\): use a name/],
  ['CERT_REVOKED', /not accepted \(\w+\): set NODE_EXTRA_CA_CERTS/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS \(\w+\): use http/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /TLS handshake failed \(\w+\): compare the TLS versions/],
  [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    /does not accept the client certificate \(\w+\): set --client-cert FILE/,
  ],
])('%s -> unreachable, with advice', (code, text) => {
  const { kind, detail } = failureOf(code);
  expect(kind).toBe('unreachable');
  expect(connectionText(detail)).toMatch(text);
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
