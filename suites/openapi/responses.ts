import type { ApiResponse, JsonObject } from '../../src/check/index.ts';
import { resourceIn } from './resource-shapes.ts';

export const isSuccess = ({ status }: Pick<ApiResponse, 'status'>): boolean => status >= 200 && status < 300;

/** It is not there, although the server responds to the request. */
export const isGone = ({ status }: ApiResponse): boolean => status === 404 || status === 410;

/** A server that validates uses these statuses for an invalid body. */
export const isInvalid = ({ status }: ApiResponse): boolean => status === 400 || status === 422;

/** Done, and not only accepted for later. */
export const isDone = (response: ApiResponse): boolean => isSuccess(response) && response.status !== 202;

/** The resource that a successful response shows; null: it shows none, or there is no response. */
export const shownIn = (response: ApiResponse | null): JsonObject | null =>
  response !== null && isSuccess(response) ? resourceIn(response.json) : null;
