import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Operation, Parameter } from '../../src/check/document.ts';
import type { Json } from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { memoized } from '../../src/check/memoized.ts';
import {
  acceptedBy,
  type BodyForm,
  bodyExamples,
  bodyViolations,
  distinct,
  type Effort,
  follow,
  formOf,
  type JsonSchema,
  noEffort,
  parameterExamples,
  sidesOf,
  UnsatisfiableSchema,
  type Violation,
  validBody,
  validParameter,
  writableSchema,
} from '../../src/check/schemas.ts';
import { type OperationUnderTest, sendsBody } from './operations.ts';
import { type OrdinaryBody, type OrdinaryKind, ordinaryBody, usualAlternative } from './ordinary.ts';
import { ifSupported } from './unsupported.ts';

/** Valid values: the document's own examples first, then systematic ones, the simplest first. */
export interface Values {
  readonly examples: readonly Json[];
  readonly arbitrary: Arbitrary<Json>;
}

type Described = Pick<OperationUnderTest, 'document' | 'operation'>;

/** The request schema of a body, the root of its references, and how the body is written. */
export interface BodySchema {
  readonly form: BodyForm;
  readonly schema: JsonSchema;
  readonly root: unknown;
  accepts(json: Json): boolean;
  isRequiredMember(name: string): boolean;
}

interface BodyValues extends Values {
  readonly required: boolean;
  /** The first one is usual. Further ones are for a server that refuses it for reasons that the document does not have. */
  readonly ordinary: readonly OrdinaryBody[];
}

/** The valid values of an operation. */
export interface KnownValues {
  readonly parameters: readonly { readonly parameter: Parameter; readonly values: Values }[];
  /** Null if the operation has none. */
  readonly body: BodyValues | null;
  /** The schema of the body; null if the operation has none. */
  readonly schema: BodySchema | null;
  /** The effort for bodies, and the parts that were left out. */
  readonly effort: Effort;
}

/**
 * Returns the valid values of an operation. They are made once for each document.
 * @throws UnsupportedKeyword, UnsatisfiableSchema if the document has a schema that is not supported
 */
export const knownValuesOf = ({ document, operation }: Described): KnownValues =>
  knownValuesIn(document)(operation);

const knownValuesIn = memoized((document: ApiDocument) =>
  memoized((operation: Operation): KnownValues => {
    const schema = bodySchemaOf(document, operation);
    const effort = noEffort(perBody(document, valueSteps));
    const described = { document, operation };
    return {
      effort,
      parameters: operation.parameters.flatMap((parameter) => {
        const values = valuesOrNone(described, parameter, effort);
        return values === null ? [] : [{ parameter, values }];
      }),
      body:
        schema === null
          ? null
          : { ...bodyValues(described, schema, effort), required: operation.requestBody?.required === true },
      schema,
    };
  }),
);

const bodySchemaOf = (document: ApiDocument, operation: Operation): BodySchema | null => {
  const { request } = sidesOf(document.root);
  const { mediaType = '', schema: described = true } = operation.requestBody ?? {};
  const form = sendsBody(operation) ? formOf(mediaType) : null;
  if (form === null) return null;
  const root = request(document.root);
  const schema = writableSchema(form, request(described));
  return {
    form,
    schema,
    root,
    accepts: (json) => acceptedBy(schema, root)(json),
    isRequiredMember: (name) => usualAlternative(request(described), root)?.required.has(name) === true,
  };
};

/**
 * Returns the violations of the request schema of an operation, which must have one. They are made once for each document.
 */
export const bodyViolationsOf = ({ document, operation }: Described): readonly Violation[] =>
  bodyViolationsIn(document)(operation);

const bodyViolationsIn = memoized((document: ApiDocument) => {
  const maxSteps = perBody(document, violationSteps);
  return memoized((operation: Operation): readonly Violation[] => {
    const { schema, effort } = knownValuesOf({ document, operation });
    return schema === null
      ? []
      : bodyViolations(schema.form, schema.schema, schema.root, { effort, maxSteps });
  });
});

/** The work for all bodies of a document together, in steps of generation, and the most and the least for one of them. */
interface Work {
  readonly together: number;
  readonly most: number;
  readonly least: number;
}

const valueSteps: Work = { together: 60_000, most: 4_000, least: 40 };
const violationSteps: Work = { together: 60_000, most: 10_000, least: 60 };

/** More bodies than this get only a few requests each. */
const manyBodies = 25;

/** A document with many bodies gets smaller values and fewer violations for each, so that a run starts soon. */
const perBody = ({ operations }: ApiDocument, { together, most, least }: Work): number => {
  const bodies = Math.max(1, operations.filter(sendsBody).length);
  const each = (together / bodies) * Math.min(1, manyBodies / bodies);
  return Math.max(least, Math.min(most, Math.floor(each)));
};

/** The values of a parameter. Null: it is left out, because it is optional and none of its values can be made or written. */
const valuesOrNone = (described: Described, parameter: Parameter, effort: Effort): Values | null =>
  ifSupported(
    () => parameterValues(described, parameter),
    (problem) => {
      if (isRequired(parameter)) throw problem;
      effort.reduced.add(`the ${parameter.in} parameter ${parameter.name}`);
      return null;
    },
  );

const parameterValues = ({ document, operation }: Described, parameter: Parameter): Values => {
  const { root } = document;
  const { arbitrary, boundaries: systematic } = validParameterIn(document)(parameter);
  const accepts = acceptedBy(parameter.schema, root);
  const shown = parameterExamples(document, operation, parameter).filter(accepts);
  const examples = distinct([...shown, ...systematic.filter((value) => value !== '')]);
  if (examples.length === 0)
    throw new UnsatisfiableSchema(`no value of the parameter ${parameter.name} can be sent`);
  return { examples, arbitrary: drawable(arbitrary, examples) };
};

const validParameterIn = memoized(({ root }: ApiDocument) =>
  memoized((parameter: Parameter) => validParameter(restrictText(parameter, root), root)),
);

/** Restricts free text in a path to letters and digits: routers and proxies treat other characters differently. */
const restrictText = (parameter: Parameter, root: unknown): Parameter => {
  const schema = follow(parameter.schema, root);
  const isFree =
    parameter.in === 'path' &&
    schema.type === 'string' &&
    !['pattern', 'format', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not'].some((name) => name in schema);
  if (!isFree) return parameter;
  const least = Math.max(1, Number(schema.minLength ?? 1));
  const most = Math.min(Number(schema.maxLength ?? Number.POSITIVE_INFINITY), least + 20);
  return { ...parameter, schema: { type: 'string', pattern: `^[A-Za-z0-9]{${least},${most}}$` } };
};

const bodyValues = (
  { document, operation }: Described,
  { form, schema, root, accepts }: BodySchema,
  effort: Effort,
): Omit<BodyValues, 'required'> => {
  const shown = bodyExamples(document, operation).filter(accepts);
  const { arbitrary, boundaries } = validBody(form, schema, root, effort);
  const examples = distinct([...shown, ...boundaries]);
  const make = (kind: OrdinaryKind) =>
    form === 'text' || form === 'binary' ? null : ordinaryBody(schema, root, kind);
  const made = ordinaryKinds.flatMap((kind) => {
    const filled = make(kind);
    // A server may permit only some values in a list that is empty by default.
    const unfilled = filled?.fillsDefaults === true ? make({ ...kind, examples: 'all' }) : null;
    return [filled, unfilled].filter((ordinary) => ordinary !== null);
  });
  const known = new Set<string>();
  const ordinary = made.filter(({ json }) => {
    const written = stringifyJson(json);
    return !known.has(written) && known.add(written);
  });
  return { examples, arbitrary: drawable(arbitrary, examples), ordinary };
};

const ordinaryKinds: readonly OrdinaryKind[] = (['all', 'required'] as const).flatMap((members) =>
  (['filled', 'none'] as const).flatMap((examples) =>
    (['future', 'past'] as const).map((days): OrdinaryKind => ({ members, days, examples })),
  ),
);

/** Uses the examples instead if valid values are too rare to be generated. */
const drawable = (arbitrary: Arbitrary<Json>, examples: readonly Json[]): Arbitrary<Json> =>
  ifSupported(
    () => {
      fc.sample(arbitrary, { seed: 1, numRuns: 30 });
      return arbitrary;
    },
    () => fc.constantFrom(...examples),
  );

/** The parameter must be sent. */
export const isRequired = ({ required, in: place }: Operation['parameters'][number]): boolean =>
  required || place === 'path';

/** The parts that the requests to an operation leave out because there are too many; null: none. */
export const leftOutOf = (exercised: OperationUnderTest): string | null => {
  const { reduced, unbroken } = knownValuesOf(exercised).effort;
  const names = [...reduced];
  const others = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const parts = [
    ...(names.length === 0 ? [] : [`some optional parts of ${names.slice(0, 5).join(', ')}${others}`]),
    ...(unbroken === 0 ? [] : [`violations of ${unbroken} rules`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
};
