/** Conforming servers with rules of their own business: documents, and servers that validate by hand. */
import { type Fetch, json, objectIn } from './things-server.ts';

const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const described = { description: 'As described.' };
const anything = { ...described, ...content({ type: 'object' }) };
const id = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1, maximum: 99999 },
};

const documentOf = (title: string, paths: object) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths,
});

const states = ['open', 'done', 'archived', 'doing'];
const steps: Readonly<Record<string, readonly string[]>> = {
  open: ['open', 'doing'],
  doing: ['doing', 'open', 'done'],
  done: ['done', 'open', 'archived'],
  archived: ['archived'],
};

/** Tasks go from one state to some others, and payments are not above the balance. */
export const officeDocument = documentOf('Office', {
  '/tasks': {
    post: {
      requestBody: {
        required: true,
        ...content({
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1, maxLength: 40 } },
        }),
      },
      responses: { 201: anything, 400: anything },
    },
  },
  '/tasks/{id}': {
    parameters: [id],
    patch: {
      requestBody: {
        required: true,
        ...content({
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 40 },
            state: { type: 'string', enum: states },
          },
        }),
      },
      responses: { 200: anything, 400: anything, 404: described },
    },
  },
  '/payments': {
    post: {
      requestBody: {
        required: true,
        ...content({
          type: 'object',
          required: ['amount'],
          properties: { amount: { type: 'integer', minimum: 1, maximum: 10000 }, gift: { type: 'boolean' } },
        }),
      },
      responses: { 201: anything, 400: anything, 422: anything },
    },
  },
});

const invalid = () => json(400, { code: 'invalid', message: 'That is not valid.' });

const isText = (value: unknown) => typeof value === 'string' && value.length > 0 && [...value].length <= 40;

const pay = ({ amount, gift = false }: Record<string, unknown>): Response => {
  const isValid = Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= 10000;
  if (!isValid || typeof gift !== 'boolean') return invalid();
  // Each rule of the business is refused in its own way: with a status of its own, or with a code.
  if (Number(amount) > 5000) return json(422, { message: 'The balance is 5000.' });
  return gift ? json(400, { code: 'no_gifts' }) : json(201, { amount });
};

export const office = (): Fetch => {
  const tasks = new Map<number, { readonly id: number; name: unknown; state: string }>();
  const change = (at: number, { name, state }: Record<string, unknown>): Response => {
    const task = tasks.get(at);
    if (task === undefined) return new Response(null, { status: 404 });
    if (name !== undefined && !isText(name)) return invalid();
    if (state !== undefined && steps[task.state]?.includes(`${state}`) !== true) return invalid();
    tasks.set(at, { ...task, name: name ?? task.name, state: `${state ?? task.state}` });
    return json(200, tasks.get(at));
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    const sent = await objectIn(request);
    if (sent === null) return invalid();
    if (pathname.endsWith('/payments')) return pay(sent);
    if (request.method === 'PATCH') return change(Number(pathname.split('/').at(-1)), sent);
    if (!isText(sent.name)) return invalid();
    const task = { id: tasks.size + 1, name: sent.name, state: 'open' };
    tasks.set(task.id, task);
    return json(201, task);
  };
};

/** A file is uploaded, and only its size is shown. */
export const uploadDocument = documentOf('Uploads', {
  '/files': {
    post: {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file', 'code'],
              properties: {
                file: { type: 'string', format: 'binary' },
                code: { type: 'string', writeOnly: true, minLength: 1 },
              },
            },
          },
        },
      },
      responses: {
        201: {
          ...described,
          ...content({
            type: 'object',
            properties: {
              id: { type: 'integer' },
              size: { type: 'integer' },
              file: { type: 'string', format: 'uri-reference' },
              code: { type: 'string', writeOnly: true },
            },
          }),
        },
        400: described,
      },
    },
  },
  '/files/{id}': { parameters: [id], get: { responses: { 200: anything, 404: described } } },
});

export const uploads = (): Fetch => {
  const files: { readonly id: number; readonly size: number; readonly file: string }[] = [];
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') {
      const file = files[Number(pathname.split('/').at(-1)) - 1];
      return file === undefined ? new Response(null, { status: 404 }) : json(200, file);
    }
    const form = await request.formData().catch(() => null);
    const [file, code] = [form?.get('file'), form?.get('code')];
    if (!(file instanceof Blob) || typeof code !== 'string' || code === '')
      return new Response(null, { status: 400 });
    const number = files.push({
      id: files.length + 1,
      size: file.size,
      file: `/content/${files.length + 1}`,
    });
    return json(201, files[number - 1]);
  };
};
