import schema from '../../../spec/domains-report.schema.json' with { type: 'json' };
import { described } from '../conformance.ts';
import { jsonText } from '../json-text.ts';
import type { DomainsOutcome } from './outcome.ts';

/** `conformance.json` of domains: the outcome without its exchanges, which are in `traffic.har`. */
export const domainsJson = (outcome: DomainsOutcome): string => {
  const { items: result } = schema.properties.requirements;
  return jsonText(
    described(
      {
        schemaVersion: 1,
        ...outcome,
        requirements: outcome.requirements.map((each) => {
          const failures = each.failures.map((failure) =>
            described(failure, result.properties.failures.items),
          );
          return described({ ...each, failures }, result);
        }),
      },
      schema,
    ),
    2,
  );
};
