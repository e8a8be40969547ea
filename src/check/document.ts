/** The OpenAPI document. */
export type { ApiDocument, Operation, Parameter, SecurityScheme } from '../openapi/document.ts';
