import type { ApiDocument } from '../openapi/document.ts';

/** Returns `minimum`, `maximum` and `default` of the parameter `limit` (section "Limits"). */
export const pageBounds = (document: ApiDocument) => {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  const schema = operation?.parameters.find(({ name }) => name === 'limit')?.schema;
  const figure = (name: 'minimum' | 'maximum' | 'default', fallback: number): number => {
    const value = typeof schema === 'object' ? schema[name] : undefined;
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : fallback;
  };
  return { minimum: figure('minimum', 1), maximum: figure('maximum', 100), default: figure('default', 20) };
};

/** Returns the enumeration of `status` (section "PetStatus"). */
export const statusesOf = (document: ApiDocument): readonly string[] => {
  const schema = document.schemas.PetStatus;
  const values = typeof schema === 'object' && Array.isArray(schema.enum) ? schema.enum : [];
  return values.filter((value) => typeof value === 'string');
};
