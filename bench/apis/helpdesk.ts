import { once } from 'node:events';
import { createServer } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { listening } from '../../examples/listening.ts';
import { type BenchApi, isObject, type Members } from './fault.ts';
import { document } from './helpdesk-document.ts';
import { faults } from './helpdesk-faults.ts';

const key = 'desk_9c41e07b55aa';
const priorities = ['low', 'normal', 'high', 'urgent'];

type Has = (fault: string) => boolean;

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;

/** The wrong members of a ticket; `partial`: none is required. */
const problemsOf = (sent: unknown, has: Has, partial: boolean): readonly string[] => {
  if (!isObject(sent)) return ['body'];
  const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
    subject: (value) =>
      isText(value, has('two-characters-accepted') ? 1 : 3, has('subject-limit-exclusive') ? 79 : 80) &&
      !(has('emoji-refused') && /\p{Extended_Pictographic}/u.test(`${value}`)),
    body: (value) => has('any-body-accepted') || isText(value, 0, 2000),
    priority: (value) =>
      has('any-priority-accepted')
        ? typeof value === 'string'
        : priorities.slice(0, has('urgent-refused') ? 3 : 4).includes(`${value}`) &&
          typeof value === 'string',
    assignee: (value) =>
      (value === null && !has('null-assignee-refused')) ||
      (typeof value === 'string' &&
        (has('any-assignee-accepted') || /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(value)) &&
        !(has('subdomain-refused') && value.split('.').length > 2)),
    dueAt: (value) =>
      typeof value === 'string' &&
      /^\d{4}-\d\d-\d\dT/i.test(value) &&
      (!has('offset-refused') || /Z$/i.test(value)) &&
      !Number.isNaN(Date.parse(value)),
    labels: (value) =>
      Array.isArray(value) &&
      (has('many-labels-accepted') || value.length <= 3) &&
      !(has('no-labels-refused') && value.length === 0) &&
      value.every(
        (label) => has('any-label-accepted') || (typeof label === 'string' && /^[a-z-]{2,12}$/.test(label)),
      ),
    minutes: (value) =>
      (Number.isInteger(value) || (has('fraction-accepted') && typeof value === 'number')) &&
      Number(value) >= 0 &&
      Number(value) <= (has('minutes-bound-off') ? 479 : 480),
  };
  const required = partial || has('nothing-required') ? [] : ['subject', 'priority'];
  return [
    ...required.filter((name) => !(name in sent)),
    ...Object.entries(sent).flatMap(([name, value]) => {
      const rule = rules[name];
      if (rule === undefined)
        return has('unknown-members-accepted') || (partial && has('unknown-members-in-patch')) ? [] : [name];
      return rule(value) ? [] : [name];
    }),
  ];
};

const createApp = (names: ReadonlySet<string>) => {
  const has: Has = (fault) => names.has(fault);
  const app = express();
  const tickets = new Map<number, Members>();
  const comments = new Map<number, Members[]>();
  let last = 0;
  const error = (code: string, fields: readonly string[] = []) =>
    has('no-error-code') ? { fields } : { code, ...(fields.length > 0 ? { fields } : {}) };
  app.disable('x-powered-by');
  app.get('/health', (_request, response) => {
    response.json({ status: has('health-down') ? 'unknown' : 'ok', uptime: 1.5 });
  });
  app.use((request, response, next) => {
    const given =
      request.get('X-API-Key') ??
      (has('key-in-query-accepted') ? `${request.query['X-API-Key'] ?? request.query.api_key}` : '');
    const isOpen =
      (has('list-without-key') && request.method === 'GET' && request.path === '/tickets') ||
      (has('any-key-accepted') && given !== '') ||
      (has('patch-with-any-key') && request.method === 'PATCH' && given !== '');
    if (given === key || isOpen) return next();
    response.status(401).json(error('unauthorized'));
  });
  app.use(express.json({ strict: false }));
  app.param('ticketId', (_request, response, next, value: string) => {
    if (!/^[1-9]\d{0,9}$/.test(value)) {
      if (has('letters-as-id-fail')) response.status(500).json(error('internal'));
      else response.status(404).json(error('not_found'));
    } else next();
  });
  const shown = (ticket: Members): Members => {
    const { status, ...others } = ticket;
    return has('status-missing')
      ? others
      : {
          ...others,
          status: has('status-capital') ? 'Open' : status,
          ...(has('id-as-text') ? { id: `${ticket.id}` } : {}),
        };
  };
  const openTicket = (sent: Members): Members => {
    last += has('ids-repeat') && last > 2 ? 0 : 1;
    const ticket = {
      body: '',
      assignee: null,
      labels: [],
      ...(has('subject-cut') ? { ...sent, subject: `${sent.subject}`.slice(0, 40) } : sent),
      id: last,
      status: 'open',
    };
    tickets.set(last, ticket);
    return ticket;
  };
  app
    .route('/tickets')
    .get((request, response) => {
      const { page = '1', per_page: size = '25', priority, sort = 'id' } = request.query;
      const isWhole = (value: unknown, most: number) =>
        /^\d+$/.test(`${value}`) && Number(value) >= 1 && Number(value) <= most;
      const isValid =
        (has('any-page-accepted') ||
          (isWhole(page, 100000) && isWhole(size, has('page-bound-off') ? 49 : 50))) &&
        (priority === undefined || priorities.includes(`${priority}`)) &&
        (has('any-sort-accepted') || ['id', '-id'].includes(`${sort}`));
      if (!isValid) {
        response.status(400).json(error('invalid'));
        return;
      }
      const matching = [...tickets.values()].filter(
        (each) =>
          priority === undefined ||
          (has('filter-inverted') ? each.priority !== priority : each.priority === priority),
      );
      const ordered = sort === '-id' ? matching.toReversed() : matching;
      const start = has('page-ignored') ? 0 : (Number(page) - 1) * Number(size);
      if (!has('no-total-header'))
        response.set('X-Total-Count', has('total-header-text') ? 'many' : `${matching.length}`);
      response.json(ordered.slice(start, start + (has('size-ignored') ? 50 : Number(size))).map(shown));
    })
    .post((request, response) => {
      const fields = problemsOf(request.body, has, false);
      if (fields.length > 0) {
        if (has('refused-is-stored') && isObject(request.body)) openTicket(request.body);
        response.status(has('invalid-is-409') ? 409 : 400).json(error('invalid', fields));
        return;
      }
      const ticket = openTicket(request.body);
      response.status(201).location(`/tickets/${ticket.id}`);
      if (has('html-after-creation')) response.type('html').send('<p>Created</p>');
      else response.json(shown(ticket));
    });
  app
    .route('/tickets/:ticketId')
    .get((request, response) => {
      const ticket =
        tickets.get(Number(request.params.ticketId)) ??
        (has('first-instead-of-404') ? [...tickets.values()][0] : undefined);
      if (ticket === undefined) response.status(404).json(error('not_found'));
      else response.json(shown(ticket));
    })
    .patch((request, response) => {
      const ticket = tickets.get(Number(request.params.ticketId));
      if (ticket === undefined) {
        response.status(404).json(error('not_found'));
        return;
      }
      const fields = problemsOf(request.body, has, true);
      if (fields.length > 0) {
        if (has('refused-patch-is-stored') && isObject(request.body))
          tickets.set(Number(ticket.id), { ...ticket, subject: request.body.subject ?? 'x' });
        response.status(400).json(error('invalid', fields));
        return;
      }
      const next = {
        ...(has('patch-resets') ? { ...ticket, body: '', labels: [] } : ticket),
        ...request.body,
      };
      if (!has('patch-does-nothing')) tickets.set(Number(ticket.id), next);
      response.json(shown(next));
    })
    .delete((request, response) => {
      const id = Number(request.params.ticketId);
      if (!tickets.has(id)) {
        response.status(404).json(error('not_found'));
        return;
      }
      if (has('delete-removes-another'))
        tickets.delete([...tickets.keys()].find((each) => each !== id) ?? id);
      else if (!has('delete-keeps-list')) tickets.delete(id);
      response.status(204).end();
    });
  app
    .route('/tickets/:ticketId/comments')
    .get((request, response) => {
      const id = Number(request.params.ticketId);
      if (!tickets.has(id) && !has('comments-of-nothing')) response.status(404).json(error('not_found'));
      else if (has('no-comments-is-404') && !comments.has(id)) response.status(404).json(error('not_found'));
      else response.json(comments.get(id) ?? []);
    })
    .post((request, response) => {
      const id = Number(request.params.ticketId);
      const { body } = request;
      if (!tickets.has(id)) response.status(404).json(error('not_found'));
      else if (
        !isObject(body) ||
        !['undefined', 'boolean'].includes(typeof body.internal) ||
        !(isText(body.text, 1, 200) || (has('empty-comment-accepted') && body.text === ''))
      )
        response.status(400).json(error('invalid', ['text']));
      else {
        const comment = {
          text: body.text,
          internal: has('internal-as-number') ? 0 : body.internal === true,
          at: has('time-in-seconds') ? 1_750_000_000 : new Date().toISOString(),
        };
        comments.set(id, [...(comments.get(id) ?? []), ...(has('comment-lost') ? [] : [comment])]);
        response.status(201).json(comment);
      }
    });
  app.use((_request, response) => {
    response.status(404).json(error('not_found'));
  });
  app.use(((problem, _request, response, _next) => {
    if (has('malformed-is-500')) response.status(500).json(error('internal'));
    else response.status(problem.status ?? 400).json(error('malformed'));
  }) satisfies ErrorRequestHandler);
  return app;
};

/** Tickets and comments, with a key in a header. */
export const helpdesk: BenchApi = {
  name: 'helpdesk',
  framework: 'Express',
  key,
  authenticate: (sent) => ({ header: ['X-API-Key', sent] }),
  document: async () => document,
  faults,
  serve: async (names) => {
    const server = createServer(createApp(names)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { baseUrl, close } = await listening(server);
    return { baseUrl: baseUrl.replace('/v1', ''), close };
  },
};
