/** The OpenAPI document. */
export type { ApiDocument, Operation, Parameter, SecurityScheme } from '../openapi/document.ts';
export { isChosen } from '../openapi/operation-choice.ts';
