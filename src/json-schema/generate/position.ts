import type { Json } from '../../json/json.ts';
import type { JsonSchema } from '../schema-kinds.ts';
import type { Material } from './value-source.ts';

/** Where in a value generation stands, as the arrays and objects there see it. */
export interface Place {
  /** Deep within a schema that contains itself: only what must be there is there. */
  readonly minimal: boolean;
  /** Longer arrays are generated only where the schema asks for them; the deeper, the shorter. */
  readonly usualLength: number;
  /** Names or indices that must be present, whatever the schema says. */
  readonly forced: readonly string[];
  /** The material of a member or item; null where no value meets its schema. `*`: a member of no fixed name. */
  tryChild(step: string | number, schema: JsonSchema): Material | null;
  /** The same with required members only: what replaces material that would make the whole too large. */
  trySmallChild(step: string | number, schema: JsonSchema): Material | null;
  /** The material of property names. */
  tryNames(schema: JsonSchema): Material | null;
  accepts(schema: JsonSchema, value: Json): boolean;
}
