import { inTurn, status, testDifferences } from './gen-testing.ts';
import { ordersFaults } from './orders.ts';

const orders = inTurn(
  status('GET', '/store/orders'),
  status('GET', '/store/orders'),
  status('GET', '/store/orders', { key: null }),
  status('GET', '/pets'),
);

testDifferences(ordersFaults, {
  'orders-not-found': [orders, [404, 404, 401, 200]],
  'orders-only-by-post': [orders, [405, 405, 401, 200]],
  'orders-not-implemented': [orders, [501, 501, 401, 200]],
  'orders-page-not-found': [
    async (server) => (await server.get('/store/orders')).headers.get('content-type'),
    'text/html',
  ],
  'orders-crash': [orders, [500, 500, 401, 200]],
  'orders-served-once': [orders, [200, 503, 401, 200]],
});
