import { type DecodedPacket, encode } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { askServer } from '../../src/domains/network/dns-query.ts';
import { record } from '../../src/reference/domains/world.ts';
import { type Respond, responseBytes, startDns } from './dns-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const name = 'www.shop.example';

/** Asks a server that responds like this for TXT records. */
const ask = async (respond: Respond, timeoutMs = 300) => {
  const { port, close } = await startDns('127.0.0.1', 0, respond);
  closing.push(close);
  const server = { name: 'ns', address: '127.0.0.1', port, recursion: false };
  return askServer({ server, name, type: 'TXT' }, timeoutMs);
};

const response = (records: readonly ReturnType<typeof record>[]) => ({
  rcode: 'NOERROR',
  authoritative: true,
  answers: records,
  authorities: [],
});

const right = (query: DecodedPacket) => responseBytes(query, response([record(name, 'TXT', 'right')]));

/** A packet with another id. */
const withId = (bytes: Buffer, id: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(id, 0);
  return copy;
};

test('DNS: wrong ids, other names, and garbage before the response -> the response', async () => {
  const { response: found } = await ask((query) => [
    withId(right(query), ((query.id ?? 0) + 1) % 0x10000),
    Buffer.from('x'),
    responseBytes({ ...query, questions: [{ name: 'other.example', type: 'TXT' }] }, response([])),
    right(query),
  ]);
  expect(found?.answers.map(({ value }) => value)).toEqual(['"right"']);
});

test('DNS: only wrong ids -> no response in time', async () => {
  const exchange = await ask((query) => [withId(right(query), ((query.id ?? 0) + 1) % 0x10000)]);
  expect(exchange).toMatchObject({ response: null, failure: 'timeout' });
});

/** A response whose answers are these bytes. */
const withAnswer = (query: DecodedPacket, bytes: readonly number[], count = 1): Buffer => {
  const head = encode({ type: 'response', id: query.id, flags: 0x400, questions: query.questions });
  head.writeUInt16BE(count, 6);
  return Buffer.concat([head, Buffer.from(bytes)]);
};

test.each([
  ['a name that points to itself', [0xc0, 0x22, 0, 16, 0, 1, 0, 0, 0, 0, 0, 1, 0]],
  ['a name that points beyond the end', [0xff, 0xff]],
  ['a label that is longer than the packet', [63, 97]],
  ['a value that is longer than the packet', [0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 0, 0xff, 0xff, 0]],
  ['65,535 answers, of which none is there', []],
])('DNS: %s -> a malformed response, at once', async (_, bytes) => {
  const exchange = await ask((query) => [withAnswer(query, bytes)], 5_000);
  expect(exchange).toMatchObject({ response: null, failure: 'malformed' });
});

test('DNS: malformed additional records -> the answers count', async () => {
  const exchange = await ask((query) => {
    const bytes = right(query);
    bytes.writeUInt16BE(9, 10);
    return [bytes];
  });
  expect(exchange.response?.answers).toHaveLength(1);
});

test('DNS: 4,000 records over TCP -> all read', async () => {
  const one = [0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, 2, 1, 97];
  const exchange = await ask(
    (query, transport) =>
      transport === 'udp'
        ? [responseBytes(query, response([]), true)]
        : [withAnswer(query, Array.from({ length: 4_000 }, () => one).flat(), 4_000)],
    5_000,
  );
  expect(exchange.transport).toBe('tcp');
  expect(exchange.response?.answers.length).toBe(4_000);
});

test('DNS: a text of 30,000 characters -> cut', async () => {
  const parts = Array.from({ length: 120 }, () => [250, ...Buffer.alloc(250, 'a')]).flat();
  const bytes = [0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, parts.length >> 8, parts.length & 255, ...parts];
  const exchange = await ask((query) => [withAnswer(query, bytes)], 5_000);
  expect(exchange.response?.answers.map(({ value }) => value.length)).toEqual([1_000]);
});

test('DNS: an endless TCP stream -> only the announced length is read', async () => {
  const exchange = await ask((query, transport) =>
    transport === 'udp'
      ? [responseBytes(query, response([]), true)]
      : [right(query), Buffer.alloc(1_000_000)],
  );
  expect(exchange.response?.answers).toHaveLength(1);
});

test('DNS: a truncated response, and TCP that says nothing -> no response in time', async () => {
  const exchange = await ask((query, transport) =>
    transport === 'udp' ? [responseBytes(query, response([]), true)] : [],
  );
  expect(exchange).toMatchObject({ transport: 'tcp', response: null, failure: 'timeout' });
});

test('DNS: a server that does not know EDNS -> asked without it', async () => {
  const exchange = await ask((query) =>
    (query.additionals ?? []).length > 0
      ? [responseBytes(query, { ...response([]), rcode: 'FORMERR' })]
      : [right(query)],
  );
  expect(exchange.response?.rcode).toBe('NOERROR');
});

test('DNS: the first packet is lost -> sent again', async () => {
  let packets = 0;
  const exchange = await ask((query) => {
    packets += 1;
    return packets === 1 ? [] : [right(query)];
  });
  expect(exchange.response?.answers).toHaveLength(1);
});

test('DNS: nobody listens -> refused', async () => {
  const { port, close } = await startDns('127.0.0.1', 0, () => []);
  await close();
  const server = { name: 'ns', address: '127.0.0.1', port, recursion: false };
  expect(await askServer({ server, name, type: 'A' }, 5_000)).toMatchObject({
    response: null,
    failure: 'refused',
  });
});
