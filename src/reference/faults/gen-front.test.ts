import { frontFaults } from './gen-front.ts';
import { inTurn, keyless, status, testDifferences } from './gen-testing.ts';

const get = (path: string) => status('GET', path);

const typeAndLimit = (path: string) => async (server: Parameters<ReturnType<typeof get>>[0]) => {
  const { headers } = await server.get(path);
  return ['content-type', 'x-ratelimit-limit', 'x-ratelimit-reset'].map((name) => headers.get(name));
};

testDifferences(frontFaults, {
  'ids-that-are-words-refused-in-front': [
    inTurn(status('GET', '/pets/abc', keyless), get('/pets/1'), typeAndLimit('/pets/abc')),
    [400, 200, ['text/html; charset=utf-8', null, null]],
  ],
  'limits-out-of-bounds-refused-in-front': [
    inTurn(typeAndLimit('/pets?limit=0'), get('/pets?limit=100'), get('/pets?limit=x')),
    [['text/html; charset=utf-8', null, null], 200, 400],
  ],
  'quotes-in-queries-refused-without-rate-limit-headers': [
    typeAndLimit('/pets?status=%27'),
    ['application/json', null, null],
  ],
  'undecodable-ids-refused-with-a-page': [
    inTurn(get('/pets/%zz'), typeAndLimit('/pets/%zz')),
    [400, ['text/html', '1000', '1772366460']],
  ],
  'undecodable-ids-refused-without-reset': [typeAndLimit('/pets/%zz'), ['application/json', '1000', null]],
  'undecodable-ids-redirected': [inTurn(get('/pets/%zz'), get('/pets/1')), [302, 200]],
  'undecodable-ids-end-the-server': [
    inTurn(get('/pets/1'), get('/pets/%zz'), get('/pets/1')),
    [200, 400, 'dropped'],
  ],
  'nul-in-ids-fails-in-front': [inTurn(get('/pets/1%00'), get('/pets/%01')), [502, 404]],
});
