/** How a CI job installs and runs the suite. */
interface Tools {
  readonly install: string;
  readonly execute: string;
}

/** The beginning of a configuration file. */
export const configHead = (baseUrl: string | null): string =>
  `# Settings of animal-store-conformance. Flags override the environment, and the environment overrides this file.
# API keys are not written here: set ANIMAL_STORE_API_KEY, and ANIMAL_STORE_RATE_LIMIT_KEY for a second key.

# Test the server at this address, which ends in /v1. Or set ANIMAL_STORE_BASE_URL.
${baseUrl === null ? '# baseUrl: https://staging.example.com/v1' : `baseUrl: ${JSON.stringify(baseUrl)}`}
`;

export const githubJob = ({ install, execute }: Tools, branch: string): string => `name: conformance
on:
  push:
    branches: [${branch}]
  workflow_dispatch:
# Two runs with one key would share its rate limit.
concurrency: conformance
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: ${install}
      - run: ${execute} animal-store-conformance run
        env:
          ANIMAL_STORE_BASE_URL: \${{ vars.ANIMAL_STORE_BASE_URL }}
          ANIMAL_STORE_API_KEY: \${{ secrets.ANIMAL_STORE_API_KEY }}
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conformance
          path: reports/
`;

export const gitlabJob = ({ install, execute }: Tools): string => `conformance:
  image: node:24
  # Two runs with one key would share its rate limit.
  resource_group: conformance
  script:
    - ${install}
    - ${execute} animal-store-conformance run
  artifacts:
    when: always
    paths: [reports/]
    reports:
      junit: reports/junit.xml
`;

/** A file for the command `domains`. A test reads it. */
export const domainsTemplate = `# The custom domains of a project, as the dashboard shows them: project settings, Domains.
# The JSON Schema of this file is spec/domains.schema.json.

# The plan of the project: free, pro, business, or enterprise. Custom domains need pro or above.
plan: pro

# The CNAME value that the dashboard shows.
platformHost: apps.host.example

# The certificate authority of the platform, as CAA records name it, or a list. Without it, CAA is not tested.
# certificateAuthority: ca.example

# The attached domains. A plain name is enough.
domains:
  - name: www.shop.example
    # The value that the dashboard shows for this domain, if it is not platformHost.
    # target: apps.host.example
    # When its DNS records were last changed: what is wrong is inconclusive for 48 hours.
    # changed: 2026-11-01T10:00:00Z
    # When Verify succeeded: a missing certificate is inconclusive for 30 minutes.
    # verified: 2026-11-01T10:30:00Z
    # apex or subdomain, if DNS does not show it.
    # kind: subdomain
  - shop.example

# The primary domain. Default: the only one that does not redirect.
# primary: www.shop.example

# Redirects of a whole domain, or of one path of it.
redirects:
  - from: shop.example
    to: https://www.shop.example
    status: 301

# Domains that were removed: the platform must not serve them.
# removed: [old.shop.example]

# How to recognize the project. Default: any 2xx of /.
# project:
#   path: /
#   status: 200
#   contains: Welcome
`;

/** What `init` did, and what to do next. */
export const initLines = {
  domains: (path: string, start: string) =>
    `Set the names and values of the dashboard in ${path}, and start: ${start}`,
  wrote: (path: string) => `Wrote ${path}`,
  exists: (path: string) => `${path} exists: it was not changed`,
  unwritable: (path: string, why: string) => `${path} cannot be written: ${why}`,
  next: 'Next',
  install: (add: string) =>
    `Add the suite to this project, from the archive that npm pack made, and commit the archive: ${add} <archive>`,
  start: (command: string, config: string | null) =>
    `Set ANIMAL_STORE_API_KEY${config === null ? '' : `, set baseUrl in ${config}`}, and start: ${command}`,
  github:
    'In the repository settings on GitHub, set the variable ANIMAL_STORE_BASE_URL and the secret ANIMAL_STORE_API_KEY.',
  gitlab:
    'In .gitlab-ci.yml, add "include: [{ local: .gitlab/conformance.yml }]". In the CI/CD settings on GitLab, set ANIMAL_STORE_BASE_URL, and ANIMAL_STORE_API_KEY as a masked variable.',
} as const;
