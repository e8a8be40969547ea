import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openServer } from './servers.ts';

export const dayOneKey = 'day-one-key';

type Pet = Record<string, unknown>;

/**
 * A server as it is written on the first day: no rate limit headers, errors of another shape, 422, no validation of values, the id of
 * the request, and integers as doubles.
 */
const handler = () => {
  const pets: Pet[] = [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }];
  let nextId = 2;
  const respond = ({ method, url = '' }: IncomingMessage, body: string): readonly [number, unknown] => {
    const { pathname, searchParams } = new URL(url, 'http://host');
    if (pathname === '/v1/pets' && method === 'GET') {
      const status = searchParams.get('status');
      const found = pets.filter((pet) => status === null || pet.status === status);
      return [200, found.slice(0, Number(searchParams.get('limit') ?? 20))];
    }
    if (pathname === '/v1/pets' && method === 'POST') {
      const sent: Pet = JSON.parse(body);
      if (!sent.name) return [422, { error: 'name is missing' }];
      const pet = { id: nextId, status: 'available', ...sent };
      nextId += 1;
      pets.push(pet);
      return [201, pet];
    }
    if (pathname === '/v1/store/orders') return [200, []];
    const id = /^\/v1\/pets\/(.*)$/.exec(pathname)?.[1];
    const pet = pets.find((each) => String(each.id) === id);
    return pet === undefined ? [404, { error: 'not found' }] : [200, pet];
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isKnown = request.headers.authorization === `Bearer ${dayOneKey}`;
      const send = (status: number, type: string, body: string) =>
        response.writeHead(status, { 'content-type': type }).end(body);
      try {
        const [status, value] = isKnown
          ? respond(request, Buffer.concat(chunks).toString())
          : [401, { error: 'unauthorized' }];
        send(status, 'application/json', JSON.stringify(value));
      } catch {
        send(500, 'text/html', '<h1>Internal Server Error</h1>');
      }
    });
  };
};

/** Starts this server on a free port. Returns its base URL. */
export const startDayOne = async (): Promise<string> =>
  `http://${await openServer(createServer(handler()))}/v1`;
