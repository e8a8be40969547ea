import { readFile } from 'node:fs/promises';

/** GitHub refuses longer comments. */
const longest = 65_000;
const perPage = 100;
/** A pull request with more comments gets a second one of ours. */
const mostPages = 20;

type Env = Readonly<Record<string, string | undefined>>;

interface Place {
  /** The comments of the pull request. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Marks the comment of this job. */
  readonly marker: string;
}

const placeOf = async (token: string, env: Env): Promise<Place | null> => {
  const { GITHUB_EVENT_PATH: path, GITHUB_REPOSITORY: repository, GITHUB_API_URL: api } = env;
  if (path === undefined || repository === undefined || api === undefined) return null;
  const event = JSON.parse(await readFile(path, 'utf8'));
  const number: unknown = event.pull_request?.number;
  if (typeof number !== 'number') return null;
  return {
    url: `${api}/repos/${repository}/issues/${number}/comments`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
    marker: `<!-- animal-store-conformance ${env.GITHUB_WORKFLOW ?? ''} ${env.GITHUB_JOB ?? ''} -->`,
  };
};

interface Comment {
  readonly url: string;
  readonly body?: string;
}

/** Throws the status if GitHub refuses. */
const call = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return text === '' ? null : JSON.parse(text);
};

const find = async ({ url, headers, marker }: Place): Promise<Comment | null> => {
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = await call(`${url}?per_page=${perPage}&page=${page}`, { headers });
    if (!Array.isArray(comments)) return null;
    const own = comments.find(({ body = '' }: Comment) => body.startsWith(marker));
    if (own !== undefined) return own;
    if (comments.length < perPage) return null;
  }
  return null;
};

/**
 * Writes the summary as one comment on the pull request, or changes the one that is there. Returns why it could not, in one sentence; null:
 * it did, or the job is not about a pull request.
 */
export const keepComment = async (
  summary: string,
  token: string | undefined,
  env: Env,
): Promise<string | null> => {
  try {
    const place = token ? await placeOf(token, env) : null;
    if (place === null) return null;
    const own = await find(place);
    const headers = { ...place.headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ body: `${place.marker}\n${summary.slice(0, longest)}` });
    await call(own?.url ?? place.url, { method: own === null ? 'POST' : 'PATCH', headers, body });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The summary is not on the pull request (${why}): give the job "permissions: pull-requests: write"`;
  }
};
