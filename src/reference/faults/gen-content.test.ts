import { contentFaults } from './gen-content.ts';
import { created, inTurn, newPet, status, testDifferences } from './gen-testing.ts';

const sentAs = (headers: Readonly<Record<string, string>>) => created(newPet(), { headers });
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
});
