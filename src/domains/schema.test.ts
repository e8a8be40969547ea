import { expect, test } from 'vitest';
import schema from '../../spec/domains.schema.json' with { type: 'json' };
import { domainsFields } from './read-file.ts';

const namesIn = ({ properties }: { readonly properties: object }): readonly string[] =>
  Object.keys(properties);

test('spec/domains.schema.json -> has the fields that the file may have', () => {
  const { domain, redirect, project, network } = schema.$defs;
  const parts = Object.entries({ domain, redirect, project, network });
  expect({
    file: namesIn(schema),
    ...Object.fromEntries(parts.map(([name, part]) => [name, namesIn(part)])),
  }).toEqual(domainsFields);
});
