import { once } from 'node:events';
import { createServer } from 'node:http';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { listening } from '../../examples/listening.ts';
import { document } from './contacts-document.ts';
import { faults } from './contacts-faults.ts';
import { type BenchApi, isObject, type Members } from './fault.ts';

const key = 'desk:Xk29-contacts';
const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;

type Has = (fault: string) => boolean;

const isText = (value: unknown, least: number, most: number): value is string =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const countries = ['CH', 'DE', 'FR', 'IT'];

const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;

const isAddress = (value: unknown, has: Has): boolean =>
  isObject(value) &&
  isText(value.city, 1, 40) &&
  (has('any-zip-accepted') || /^\d{4,5}$/.test(`${value.zip}`)) &&
  typeof value.zip === 'string' &&
  countries.slice(0, has('italy-refused') ? 3 : 4).includes(`${value.country}`);

const isContact = (sent: unknown, has: Has): sent is Members =>
  isObject(sent) &&
  isText(sent.name, 1, has('name-bound-off') ? 59 : 60) &&
  sent.name.trim() !== '' &&
  isText(sent.email, 3, 254) &&
  (has('any-email-accepted') || /^[^@\s]+@[^@\s]+$/.test(sent.email)) &&
  (sent.birthday === undefined ||
    (typeof sent.birthday === 'string' && (has('any-birthday-accepted') || isDay(sent.birthday)))) &&
  (sent.address === undefined ? !has('address-required') : isAddress(sent.address, has)) &&
  (sent.consent === undefined || typeof sent.consent === 'boolean' || has('any-consent-accepted')) &&
  (sent.score === undefined ||
    (typeof sent.score === 'number' && sent.score >= 0 && (has('high-score-accepted') || sent.score <= 1)));

const createApp = (names: ReadonlySet<string>) => {
  const has: Has = (fault) => names.has(fault);
  const app = new Koa();
  app.silent = true;
  const router = new Router();
  const contacts = new Map<string, Members>();
  const groups = new Map<string, Members>();
  const problem = (ctx: Koa.Context, status: number, title: string): void => {
    ctx.status = status;
    ctx.body = { title, status: has('problem-status-200') ? 200 : status };
    ctx.type = has('problem-as-json') ? 'application/json' : 'application/problem+json';
  };
  app.use(async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) problem(ctx, 404, 'Not found');
    } catch (error) {
      const status = isObject(error) && typeof error.status === 'number' ? error.status : 500;
      problem(ctx, has('malformed-is-500') && status === 400 ? 500 : status, 'Refused');
    }
  });
  app.use(async (ctx, next) => {
    const given = ctx.get('Authorization');
    const user = Buffer.from(given.slice(6), 'base64').toString().split(':');
    const isOpen =
      (has('any-password-accepted') && user[0] === 'desk') ||
      (has('groups-without-key') && ctx.path.startsWith('/groups'));
    if (given === basic(key) || isOpen) return next();
    ctx.set('WWW-Authenticate', 'Basic realm="contacts"');
    problem(ctx, 401, 'Unauthorized');
  });
  app.use(bodyParser({ enableTypes: ['json'], jsonStrict: false }));
  // As the database stores them: trimmed, e-mail in lower case.
  const normalized = (sent: Members): Members => ({
    ...sent,
    name: `${sent.name}`.trim(),
    email: `${sent.email}`.toLowerCase(),
    consent: sent.consent ?? false,
  });
  const known = (ctx: Koa.Context & { params: Record<string, string> }) => contacts.get(ctx.params.id ?? '');
  router.get('/contacts', (ctx) => {
    const { pageSize = '10', pageToken = '0', country } = ctx.query;
    if (
      !/^\d+$/.test(`${pageSize}`) ||
      Number(pageSize) < 1 ||
      (Number(pageSize) > 100 && !has('large-pages-accepted')) ||
      (country !== undefined && !countries.includes(`${country}`))
    )
      return problem(ctx, 400, 'Invalid');
    const all = [...contacts.values()].filter(
      ({ deletedAt, address }) =>
        (deletedAt === null || has('deleted-listed')) &&
        (country === undefined || (isObject(address) && address.country === country)),
    );
    const start = Number(pageToken) || 0;
    const items = all.slice(start, start + Number(pageSize));
    const end = start + items.length;
    ctx.body = { contacts: items, nextPageToken: end < all.length && !has('no-next-page') ? `${end}` : null };
  });
  router.post('/contacts', (ctx) => {
    const sent = ctx.request.body;
    if (!isContact(sent, has)) return problem(ctx, 400, 'Invalid');
    if (has('long-name-fails') && `${sent.name}`.length > 50) throw new Error('too long for the column');
    const id = `c${contacts.size + 1}-${Math.random().toString(36).slice(2, 8)}`;
    const contact = {
      ...normalized(sent),
      ...(has('address-dropped') ? { address: undefined } : {}),
      id,
      deletedAt: null,
      ...(has('score-as-text') && sent.score !== undefined ? { score: `${sent.score}` } : {}),
    };
    contacts.set(id, contact);
    ctx.status = 201;
    if (!has('no-location')) ctx.set('Location', `/contacts/${id}`);
    ctx.body =
      has('country-in-lower-case') && isObject(sent.address)
        ? { ...contact, address: { ...sent.address, country: `${sent.address.country}`.toLowerCase() } }
        : contact;
  });
  router.get('/contacts/:id', (ctx) => {
    const contact = known(ctx);
    // Deleted contacts stay readable, and say so.
    if (contact === undefined) return problem(ctx, 404, 'Not found');
    ctx.body = contact;
  });
  router.put('/contacts/:id', (ctx) => {
    const contact = known(ctx);
    const sent = ctx.request.body;
    if (contact === undefined) return problem(ctx, 404, 'Not found');
    if (!isContact(sent, has('put-not-validated') ? (fault) => fault.startsWith('any-') : has))
      return problem(ctx, 400, 'Invalid');
    const next = { ...normalized(sent), id: contact.id, deletedAt: contact.deletedAt };
    contacts.set(`${contact.id}`, has('put-merges') ? { ...contact, ...next, email: contact.email } : next);
    ctx.body = next;
  });
  router.delete('/contacts/:id', (ctx) => {
    const contact = known(ctx);
    if (contact === undefined) return problem(ctx, 404, 'Not found');
    if (!has('delete-forgotten'))
      contacts.set(`${contact.id}`, { ...contact, deletedAt: new Date().toISOString() });
    ctx.status = 202;
    ctx.body = { queued: true };
  });
  // Creates what does not exist yet.
  router.put('/groups/:slug', (ctx) => {
    const slug = ctx.params.slug ?? '';
    const sent = ctx.request.body;
    if (!/^[a-z]{2,10}$/.test(slug) || !isObject(sent) || !isText(sent.title, 1, 30))
      return problem(ctx, 400, 'Invalid');
    ctx.status = groups.has(slug) ? 200 : has('group-is-202') ? 202 : 201;
    const group = { slug, title: sent.title };
    groups.set(slug, group);
    ctx.body = group;
  });
  router.get('/groups/:slug', (ctx) => {
    const group = groups.get(ctx.params.slug ?? '');
    if (group === undefined) return problem(ctx, 404, 'Not found');
    ctx.body = has('group-without-slug') ? { title: group.title } : group;
  });
  app.use(router.routes());
  return app;
};

/** Contacts and groups, with Basic authentication. */
export const contacts: BenchApi = {
  name: 'contacts',
  framework: 'Koa',
  key,
  authenticate: (sent) => ({ header: ['Authorization', basic(sent)] }),
  document: async () => document,
  faults,
  serve: async (names) => {
    const server = createServer(createApp(names).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { baseUrl, close } = await listening(server);
    return { baseUrl: baseUrl.replace('/v1', ''), close };
  },
};
