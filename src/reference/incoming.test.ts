import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incomingRequest } from './incoming.ts';

const name = fc.constantFrom('Authorization', 'authorization', 'X-A', 'x-b', 'Content-Type');
const value = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\t', ',', 'é') });

test('incoming request: the same headers and body as a Request', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, value)),
      fc.option(fc.string({ unit: 'binary' })),
      async (headers, body) => {
        const url = 'http://localhost/v1/pets';
        const ours = incomingRequest({ method: 'POST', url, headers, body });
        const theirs = new Request(url, {
          method: 'POST',
          headers,
          body: body === null ? null : Buffer.from(body),
        });
        for (const name of ['AUTHORIZATION', 'x-a', 'X-B', 'content-type', 'x-none']) {
          expect(ours.headers.get(name)).toBe(theirs.headers.get(name));
          expect(ours.headers.has(name)).toBe(theirs.headers.has(name));
        }
        expect(ours).toMatchObject({ method: theirs.method, url: theirs.url });
        const chunks: Uint8Array[] = [];
        for await (const chunk of ours.body ?? []) chunks.push(chunk);
        const bytes = new Uint8Array(await theirs.arrayBuffer());
        expect(new Uint8Array(Buffer.concat(chunks))).toEqual(bytes);
        expect(new Uint8Array(await ours.arrayBuffer())).toEqual(bytes);
      },
    ),
  );
});
