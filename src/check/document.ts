/** The OpenAPI document. */
export type { ApiDocument, Operation, Parameter, SecurityScheme } from '../openapi/document.ts';
export { isJsonType, mediaTypesOf, plainMediaType } from '../openapi/media-types.ts';
