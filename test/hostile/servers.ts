import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** A server that sends the same bytes for every request, in pieces, with the expected result of the command. */
export interface HostileServer {
  readonly name: string;
  readonly pieces: readonly (string | Buffer)[];
  /** How it closes the connection after the last piece; `again`: it never does, and sends all pieces again. */
  readonly closes: 'never' | 'end' | 'reset' | 'again';
  /** Milliseconds after each piece. */
  readonly pause: number;
  /** Milliseconds until it reads from a connection, one connection after another. */
  readonly accepting: number;
  /** The expected result of GEN-4. */
  readonly gen4: 'failed' | 'not failed';
  /** What the report must say of it; null: anything. */
  readonly says: RegExp | null;
  /** Other requirements that it breaks. */
  readonly failed: readonly string[];
}

const body = '[]';
/** A cookie that the client must never send back. */
export const cookie = 'hostile=7f3a9c';
const json = 'Content-Type: application/json\r\n';
const withLength = `${json}Content-Length: ${body.length}\r\n`;
const whole = `HTTP/1.1 200 OK\r\n${withLength}\r\n${body}`;
const chunked = `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n`;

const server = (
  gen4: HostileServer['gen4'],
  name: string,
  pieces: HostileServer['pieces'],
  more: Partial<HostileServer> = {},
): HostileServer => ({
  name,
  pieces,
  closes: 'never',
  pause: 0,
  accepting: 0,
  gen4,
  says: null,
  failed: [],
  ...more,
});

const refused = (name: string, ...pieces: HostileServer['pieces']) => server('failed', name, pieces);
const closing = (name: string, ...pieces: HostileServer['pieces']) =>
  server('failed', name, pieces, { closes: 'end' });
const accepted = (name: string, ...pieces: HostileServer['pieces']) => server('not failed', name, pieces);
const acceptedClosing = (name: string, ...pieces: HostileServer['pieces']) =>
  server('not failed', name, pieces, { closes: 'end' });

/** The report must name what is wrong. */
const named = (name: string, says: RegExp, ...pieces: HostileServer['pieces']) =>
  server('failed', name, pieces, { says });

const encoded = (coding: string, bytes: Uint8Array): readonly (string | Buffer)[] => [
  `HTTP/1.1 200 OK\r\n${json}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  Buffer.from(bytes),
];
/** As bytes, so that the server does not encode megabytes for every response. */
const ofText = (text: string): readonly Buffer[] => [
  Buffer.from(`HTTP/1.1 200 OK\r\n${json}Content-Length: ${text.length}\r\n\r\n${text}`),
];

const long = (name: string, failed: readonly string[], ...pieces: HostileServer['pieces']) =>
  server('not failed', name, pieces, { failed });

const manyAnimals = Array.from(
  { length: 100_000 },
  (_, id) => `{"id":${id},"name":"Rex","categoryId":1}`,
).join();

export const servers: readonly HostileServer[] = [
  // Status lines
  closing('no response'),
  closing('a status line without a code', 'HTTP/1.1 OK\r\n\r\n'),
  closing('a status code of two digits', 'HTTP/1.1 20 OK\r\n\r\n'),
  closing('another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'),
  closing('bytes of no protocol', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff])),
  closing('half a status line', 'HTTP/1.1 2'),
  accepted('an empty reason', `HTTP/1.1 200 \r\n${withLength}\r\n${body}`),
  accepted('a status line without a reason', `HTTP/1.1 200\r\n${withLength}\r\n${body}`),
  accepted('an empty line before the status line', `\r\n${whole}`),
  named('a status code of 999', /server error \(999\)/, `HTTP/1.1 999 Odd\r\n${withLength}\r\n${body}`),
  named('HTTP/2 in text', /not HTTP\/1\.1/, `HTTP/2 200 OK\r\n${withLength}\r\n${body}`),
  named(
    'a 101 that nobody asked for',
    /unexpected 101/,
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
  ),
  named('line feeds without carriage returns', /Missing expected CR/, `${whole.replaceAll('\r', '')}`),
  accepted('bytes after the body', `${whole}garbage`),
  server('not failed', 'bytes after the body, then the end', [`${whole}garbage`], { closes: 'end' }),
  server('not failed', 'a reset after the response', [whole], { closes: 'reset' }),
  server('not failed', 'a byte every 10 ms', [...whole], { pause: 10 }),
  server('not failed', 'a 204 with a body', [`HTTP/1.1 204 No Content\r\n${withLength}\r\n${body}`], {
    failed: ['LIST-1'],
  }),
  server('not failed', 'a 304 with a body', [`HTTP/1.1 304 Not Modified\r\n${withLength}\r\n${body}`], {
    failed: ['LIST-1'],
  }),
  server('not failed', '250 ms for each connection', [whole], { accepting: 250 }),
  // Headers
  closing('half a header', `HTTP/1.1 200 OK\r\nContent-Ty`),
  refused('a header name with a space', `HTTP/1.1 200 OK\r\nX A: 1\r\n${withLength}\r\n${body}`),
  refused('a header without a colon', `HTTP/1.1 200 OK\r\nX-A\r\n${withLength}\r\n${body}`),
  refused('a zero byte in a header', `HTTP/1.1 200 OK\r\nX-A: \0\r\n${withLength}\r\n${body}`),
  accepted('a header without a value', `HTTP/1.1 200 OK\r\nX-A:\r\n${withLength}\r\n${body}`),
  named(
    'a header folded over two lines',
    /whitespace/,
    `HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\n${withLength}\r\n${body}`,
  ),
  named(
    'a space before the colon',
    /Invalid header token/,
    `HTTP/1.1 200 OK\r\nX-A : 1\r\n${withLength}\r\n${body}`,
  ),
  named(
    'a carriage return in a header',
    /Missing expected LF/,
    `HTTP/1.1 200 OK\r\nX-A: a\rb\r\n${withLength}\r\n${body}`,
  ),
  accepted(
    'a header in Latin-1',
    Buffer.from(`HTTP/1.1 200 OK\r\nX-A: caf\xe9\r\n${withLength}\r\n${body}`, 'latin1'),
  ),
  accepted('a header in UTF-8', `HTTP/1.1 200 OK\r\nX-A: café\r\n${withLength}\r\n${body}`),
  accepted('headers of 100 KB', `HTTP/1.1 200 OK\r\nX-A: ${'v'.repeat(100_000)}\r\n${withLength}\r\n${body}`),
  named(
    'headers of 1 MB',
    /larger than this client reads/,
    `HTTP/1.1 200 OK\r\nX-A: ${'v'.repeat(1_000_000)}\r\n${withLength}\r\n${body}`,
  ),
  accepted(
    'a media type in capitals, with parameters',
    `HTTP/1.1 200 OK\r\nContent-Type: APPLICATION/JSON ; Charset="utf-8"; a="b;c"\r\nContent-Length: 2\r\n\r\n${body}`,
  ),
  accepted(
    'a media type that ends in a semicolon',
    `HTTP/1.1 200 OK\r\nContent-Type: application/json;\r\nContent-Length: 2\r\n\r\n${body}`,
  ),
  // Lengths
  closing('a body shorter than its length', `HTTP/1.1 200 OK\r\n${json}Content-Length: 9\r\n\r\n${body}`),
  server('failed', 'a body shorter than its length, on an open connection', [
    `HTTP/1.1 200 OK\r\n${json}Content-Length: 9\r\n\r\n${body}`,
  ]),
  server(
    'not failed',
    'a body longer than its length',
    [`HTTP/1.1 200 OK\r\n${json}Content-Length: 1\r\n\r\n${body}`],
    { failed: ['GEN-2'] },
  ),
  refused('a negative length', `HTTP/1.1 200 OK\r\n${json}Content-Length: -2\r\n\r\n${body}`),
  refused('a length that is no number', `HTTP/1.1 200 OK\r\n${json}Content-Length: two\r\n\r\n${body}`),
  refused('two lengths that differ', `HTTP/1.1 200 OK\r\n${withLength}Content-Length: 3\r\n\r\n${body}`),
  named(
    'the same length twice',
    /Content-Length is not exactly one number/,
    `HTTP/1.1 200 OK\r\n${withLength}Content-Length: 2\r\n\r\n${body}`,
  ),
  named(
    'a length and chunks',
    /Content-Length can't be present/,
    `${chunked}Content-Length: 2\r\n\r\n2\r\n${body}\r\n0\r\n\r\n`,
  ),
  acceptedClosing('no length, ended by the connection', `HTTP/1.1 200 OK\r\n${json}\r\n${body}`),
  // Chunks
  refused('a chunk size that is no number', `${chunked}\r\nzz\r\n${body}\r\n0\r\n\r\n`),
  refused('a chunk longer than its size', `${chunked}\r\n1\r\n${body}\r\n0\r\n\r\n`),
  closing('no last chunk', `${chunked}\r\n2\r\n${body}\r\n`),
  closing('half a chunk', `${chunked}\r\n9\r\n${body}`),
  accepted('a chunk extension', `${chunked}\r\n2;a=b\r\n${body}\r\n0\r\n\r\n`),
  accepted('a chunk extension of 10 KB', `${chunked}\r\n2;a=${'b'.repeat(10_000)}\r\n${body}\r\n0\r\n\r\n`),
  accepted('a chunk extension of 1 MB', `${chunked}\r\n2;a=${'b'.repeat(1_000_000)}\r\n${body}\r\n0\r\n\r\n`),
  accepted('a chunk size in upper case', `${chunked}\r\nA\r\n[        ]\r\n0\r\n\r\n`),
  accepted('a chunk size in lower case', `${chunked}\r\na\r\n[        ]\r\n0\r\n\r\n`),
  accepted('a chunk size with zeros before it', `${chunked}\r\n0002\r\n${body}\r\n0\r\n\r\n`),
  named(
    'a chunk size with a space behind it',
    /Invalid character in chunk size/,
    `${chunked}\r\n2 \r\n${body}\r\n0\r\n\r\n`,
  ),
  accepted('a trailer', `${chunked}\r\n2\r\n${body}\r\n0\r\nX-A: 1\r\n\r\n`),
  accepted('a chunk for each byte', `${chunked}\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n`),
  // Codings
  named(
    'a coding that the body has not',
    /the body is not valid gzip/,
    ...encoded('gzip', Buffer.from(body)),
  ),
  named(
    'deflate without its zlib header',
    /the body is not valid deflate/,
    ...encoded('deflate', deflateRawSync(body)),
  ),
  refused('half a coded body', ...encoded('gzip', gzipSync('[1,2,3,4,5,6,7,8]').subarray(0, 20))),
  accepted('gzip', ...encoded('gzip', gzipSync(body))),
  accepted('deflate', ...encoded('deflate', deflateSync(body))),
  accepted('brotli', ...encoded('br', brotliCompressSync(body))),
  accepted('zstd', ...encoded('zstd', zstdCompressSync(body))),
  server('not failed', 'an unknown coding', encoded('x-acme', Buffer.from([1, 2, 3, 255])), {
    failed: ['GEN-2'],
    says: /the coding "x-acme", which is not decoded/,
  }),
  server(
    'not failed',
    'a transfer coding that nobody asked for',
    [
      chunked.replace(': chunked', ': gzip, chunked'),
      `\r\n${gzipSync(body).length.toString(16)}\r\n`,
      gzipSync(body),
      '\r\n0\r\n\r\n',
    ],
    {
      failed: ['GEN-2'],
      says: /the coding "gzip", which is not decoded/,
    },
  ),
  accepted('gzip twice', ...encoded('gzip, gzip', gzipSync(gzipSync(body)))),
  // Interim responses
  accepted('a 100', `HTTP/1.1 100 Continue\r\n\r\n${whole}`),
  accepted('a 103 with a link', `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${whole}`),
  accepted('500 interim responses', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(500)}${whole}`),
  server(
    'failed',
    'interim responses without end',
    [`HTTP/1.1 103 Early Hints\r\nLink: </${'a'.repeat(1_000)}.css>; rel=preload\r\n\r\n`],
    { closes: 'again', pause: 1 },
  ),
  accepted('a 100 in two packets', 'HTTP/1.1 100 Con', `tinue\r\n\r\n${whole}`),
  accepted('a 100 cut in its version', 'HTT', `P/1.1 100 Continue\r\n\r\n${whole}`),
  accepted('a 103 before a 100', `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${whole}`),
  closing('a 100 and nothing else', 'HTTP/1.1 100 Continue\r\n\r\n'),
  // HTTP/1.0
  accepted(
    'HTTP/1.0 that keeps the connection',
    `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${withLength}\r\n${body}`,
  ),
  acceptedClosing('HTTP/1.0 with a length', `HTTP/1.0 200 OK\r\n${withLength}\r\n${body}`),
  acceptedClosing('HTTP/1.0 without a length', `HTTP/1.0 200 OK\r\n${json}\r\n${body}`),
  // Bodies
  accepted('a number of 100,000 digits', ...ofText('1'.repeat(100_000))),
  accepted('objects 50,000 deep', ...ofText(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)),
  accepted('a string of a megabyte', ...ofText(`"${'x'.repeat(1_000_000)}"`)),
  long(
    'a photo of 6 MB',
    [],
    ...ofText(`[{"id":1,"name":"Rex","categoryId":1,"photo":"${'x'.repeat(6_000_000)}"}]`),
  ),
  long('a string of 20 MB', ['GEN-3', 'LIST-1'], ...ofText(`"${'x'.repeat(20_000_000)}"`)),
  long('100,000 animals with any limit', ['LIST-2', 'LIST-3'], ...ofText(`[${manyAnimals}]`)),
  long('gzip of 30 MB of blanks', [], ...encoded('gzip', gzipSync(`${' '.repeat(30_000_000)}[]`))),
  long('a number of a million digits', ['GEN-3', 'LIST-1'], ...ofText('1'.repeat(1_000_000))),
  accepted(
    'a header that sets a cookie',
    `HTTP/1.1 200 OK\r\nSet-Cookie: ${cookie}\r\n${withLength}\r\n${body}`,
  ),
];

/** So many bytes that memory matters, some of them encoded. */
export const isLarge = ({ pieces, closes }: HostileServer): boolean =>
  closes === 'again' || pieces.reduce((sum, { length }) => sum + length, 0) >= 25_000;
