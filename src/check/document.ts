/** The OpenAPI document. */
export type {
  ApiDocument,
  Operation,
  OperationLink,
  Parameter,
  SecurityScheme,
} from '../openapi/document.ts';
export { isChosen } from '../openapi/operation-choice.ts';
