import type { TestServer } from '../testing.ts';
import { contentFaults } from './gen-content.ts';
import { created, inTurn, newPet, status, testDifferences } from './gen-testing.ts';

const sentAs = (headers: Readonly<Record<string, string>>) => created(newPet(), { headers });
const mediaTypeOf = (path: string, accept: string) => async (server: TestServer) =>
  (await server.send('GET', path, { headers: { accept } })).headers.get('content-type');
const mediaType = (accept: string) => mediaTypeOf('/pets/x', accept);
const accepting = (accept: string, path: string) => status('GET', path, { headers: { accept } });

testDifferences(contentFaults, {
  'odd-parameters-of-the-media-type-crash': [
    inTurn(
      sentAs({ 'content-type': 'multipart/form-data' }),
      sentAs({ 'content-type': 'multipart/form-data; boundary=a' }),
      sentAs({ 'content-type': 'application/json; charset=unknown' }),
      sentAs({ 'content-type': 'application/json; charset=utf-8' }),
    ),
    [500, 201, 500, 201],
  ],
  'accept-compared-as-text': [
    inTurn(accepting('*/*', '/pets'), accepting('*/*', '/pets/1'), accepting('application/json', '/pets')),
    [406, 406, 200],
  ],
  'refusals-in-html-unless-json-is-asked-for': [
    inTurn(mediaType('*/*'), mediaType('application/json;q=0.9, */*;q=0.1')),
    ['text/html; charset=utf-8', 'application/json'],
  ],
  'pages-for-browsers': [
    inTurn(
      mediaTypeOf('/pets', 'text/html, */*'),
      mediaTypeOf('/pets', '*/*'),
      mediaTypeOf('/pets/x', 'text/html, */*'),
    ),
    ['text/html; charset=utf-8', 'application/json', 'application/json'],
  ],
  'date-that-is-none-crashes': [
    inTurn(
      status('GET', '/pets', { headers: { 'if-modified-since': 'yesterday' } }),
      status('GET', '/pets', { headers: { 'if-modified-since': 'Sun, 01 Mar 2026 12:00:10 GMT' } }),
      status('GET', '/pets'),
    ),
    [500, 200, 200],
  ],
  'no-accept-header-crashes': [inTurn(created(newPet()), sentAs({ accept: '*/*' })), [500, 201]],
});
