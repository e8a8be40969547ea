/**
 * What a check needs: definitions, requests, and the types of both. Integers of JSON are bigints here, so that no digit of an int64
 * is lost: compare with `1n`, not with `1`.
 */
export { default as fc } from 'fast-check';
export type { Problem } from '../finding/problem.ts';
export type { CaseReason, LossCode, Reason } from '../finding/reason.ts';
export { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
export type { Level as RequirementLevel } from '../openapi/requirement.ts';
export { type Check, type CheckDefinition, type Cost, defineCheck, type Phase } from './check.ts';
export type {
  ApiResponse,
  Breach,
  CheckContext,
  DescribedBreach,
  SendOptions,
  TypedBreach,
} from './context.ts';
export {
  createPet,
  createPetWithBody,
  type Expectation,
  getPet,
  type Header,
  listOrders,
  listPets,
  type Probe,
  type RequestOptions,
  undocumentedRequest,
} from './requests.ts';
export { defineRequirement, type OwnRequirement, type RequirementDefinition } from './requirement.ts';
export type { RunContext } from './run-context.ts';
export { core, type Inputs, smoke, type Tiered } from './tiers.ts';
