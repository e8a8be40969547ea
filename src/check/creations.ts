import type { ParsedResponse } from '../http/parsed-response.ts';
import { isJsonObject } from '../json/json.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';

/** Whether a response shows, or may show, that something was created. */
export const isCreation = (method: string, status: number): boolean =>
  status === 201 || (method === 'POST' && status < 300);

/**
 * Returns how many creations are kept for requests that the server should refuse. If it accepts them, later checks must still be able
 * to create animals.
 */
export const reservedForRefusals = (most: number): number => (most < 2 ? 0 : Math.ceil(most / 5));

/** The path without a slash at the end: frameworks write `/todos/` for the collection of `/todos/{id}`, and `/todos/{id}/` for a resource. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');

/** The kind of resource that an operation of another API creates, replaces, or deletes: the path of its collection. */
export const kindOfResource = ({ path }: Pick<Operation, 'path'>): string =>
  withoutSlash(path).replace(/\/\{[^{}/]+\}$/, '');

/** The document has resources of that kind. */
const isCollection = ({ operations }: ApiDocument, { path }: Operation): boolean =>
  operations.some(
    (other) =>
      other.path.startsWith(`${withoutSlash(path)}/{`) ||
      (other.method === 'GET' && withoutSlash(other.path) === withoutSlash(path)),
  );

/**
 * Whether a response of another API shows, or may show, that something was created. A POST that logs in or searches returns 200 without an id,
 * and the document has no resources of that kind.
 */
export const mayHaveCreated = (
  document: ApiDocument,
  operation: Operation | null,
  { status, header, json }: Pick<ParsedResponse, 'status' | 'header' | 'json'>,
): boolean => {
  if (operation === null || !isCreation(operation.method, status)) return false;
  const hasId =
    json !== undefined &&
    isJsonObject(json) &&
    Object.keys(json).some((name) => ['id', 'uuid', '_id'].includes(name.toLowerCase()));
  return (
    status === 201 ||
    operation.responses.some((response) => response.status === '201') ||
    operation.links.length > 0 ||
    isCollection(document, operation) ||
    header('location').length > 0 ||
    hasId
  );
};
