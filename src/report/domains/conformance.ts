import { jsonText } from '../json-text.ts';
import type { DomainsOutcome } from './outcome.ts';

/** `conformance.json` of domains: the outcome without its exchanges, which are in `traffic.har`. */
export const domainsJson = ({ exchanges: _exchanges, endedCode, ...outcome }: DomainsOutcome): string => {
  const { tool, interface: judged, target, ...others } = outcome;
  return jsonText(
    {
      schemaVersion: 1,
      tool,
      interface: judged,
      target,
      ...others,
      ...(endedCode === undefined ? {} : { endedCode }),
    },
    2,
  );
};
