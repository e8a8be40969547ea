import { contentFaults } from './gen-content.ts';
import { created, inTurn, newPet, status, testDifferences } from './gen-testing.ts';

const sentAs = (headers: Readonly<Record<string, string>>) => created(newPet(), { headers });
const padded = (length: number) => created(newPet({ note: 'a'.repeat(length) }));
const accepting = (accept: string, path: string) => status('GET', path, { headers: { accept } });

testDifferences(contentFaults, {
  'multipart-without-boundary-crashes': [
    inTurn(
      sentAs({ 'content-type': 'multipart/form-data' }),
      sentAs({ 'content-type': 'multipart/form-data; boundary=a' }),
    ),
    [500, 201],
  ],
  'unknown-charset-crashes': [
    inTurn(
      sentAs({ 'content-type': 'application/json; charset=unknown' }),
      sentAs({ 'content-type': 'application/json; charset=utf-8' }),
    ),
    [500, 201],
  ],
  'body-that-is-not-gzip-crashes': [inTurn(sentAs({ 'content-encoding': 'gzip' }), sentAs({})), [500, 201]],
  'body-beyond-100-kib-crashes': [inTurn(padded(102_400), padded(102_000)), [500, 201]],
  'accept-compared-as-text': [
    inTurn(accepting('*/*', '/pets'), accepting('*/*', '/pets/1'), accepting('application/json', '/pets')),
    [406, 406, 200],
  ],
  'invalid-category-quoted-as-it-is': [
    async (server) => (await server.create('{"name":"a","categoryId":"\\""}')).json,
    null,
  ],
});
