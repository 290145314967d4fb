// Generates files from the registry of checks, the settings and the build. With --check it only names the files that are out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toYaml } from "../src/encoding/yaml.ts";
import { checks } from "../src/checks/index.ts";
import { COMMANDS } from "../src/cli/commands/index.ts";
import { buildClusterRole } from "../src/cli/checks/cluster-role.ts";
import { selectChecks } from "../src/cli/checks/check-selection.ts";
import { buildFixRows, readTriedFixes } from "../test/support/fix-table.ts";
import { buildPrecheckPatch, buildPrometheusRule } from "./alerts/prometheus-rule.ts";
import { buildManifestWorkReplicaSet } from "./manifests/manifest-work.ts";
import { formatChecksPage } from "./pages/checks-page.ts";
import { formatCliPage } from "./pages/cli-page.ts";
import { withDependencies } from "./pages/dependencies-page.ts";
import { runDemo } from "./pages/demo-output.ts";
import { buildExamples, formatExamplesPage } from "./pages/examples.ts";
import { formatFixesPage } from "./pages/fixes-page.ts";
import { formatManPage } from "./pages/man-page.ts";
import { formatPicture } from "./pages/picture.ts";
import { formatPublishedPage } from "./pages/published-page.ts";

const ROOT = join(import.meta.dirname, "..");
const HEADING = "Generated from the checks by 'npm run generate': edit them instead.";

/** The headline, and one risk of each kind of work. */
const PICTURE_LINES = 44;
const demo = await runDemo([], { now: new Date(0), isOutTerminal: true });
const examples = await buildExamples();

/** Every generated file and its text. */
const OUTPUTS: Readonly<Record<string, () => string>> = {
  "deploy/monitoring/prometheusrule.yaml": () => formatYaml(buildPrometheusRule(checks)),
  "deploy/monitoring-with-precheck/precheck.yaml": () => formatYaml(buildPrecheckPatch(checks)),
  "deploy/fleet/ocm/workload/clusterrole.yaml": () => formatYaml(buildFleetRole()),
  "deploy/fleet/ocm/manifestworkreplicaset.yaml": () => formatYaml(buildManifestWorkReplicaSet(buildFleetRole())),
  "deploy/runner/account/clusterrole.yaml": () => formatYaml(buildClusterRole(selectChecks(checks, [], []).checks)),
  "docs/checks.md": () => formatChecksPage(HEADING, checks),
  "docs/cli.md": () => formatCliPage(HEADING, COMMANDS),
  "docs/dependencies.md": formatDependenciesPage,
  "docs/fixes.md": () => formatFixesPage(HEADING, buildFixRows(), readTriedFixes()),
  "docs/check.svg": () => formatPicture("The result of preflight check for the demo cluster", demo, PICTURE_LINES),
  "docs/examples/README.md": () => formatExamplesPage(HEADING),
  ...Object.fromEntries([...examples].map(([file, text]) => [`docs/examples/${file}`, () => text])),
  "docs/preflight.1": () => formatManPage(HEADING, COMMANDS),
  "docs/known-risks.md": () => formatPublishedPage(HEADING, checks),
};

/** The same rights under another name: the runner may be on the same cluster. */
function buildFleetRole(): object {
  return { ...buildClusterRole(selectChecks(checks, [], []).checks), metadata: { name: "preflight-fleet" } };
}

function formatYaml(object: object): string {
  return `# ${HEADING}\n${toYaml(object)}`;
}

/** This page is written by hand, except for its tables. */
function formatDependenciesPage(): string {
  return withDependencies(readText("docs/dependencies.md"), {
    manifest: JSON.parse(readText("package.json")),
    lockfile: JSON.parse(readText("package-lock.json")),
    metafile: JSON.parse(readText("dist/meta.json")),
    reasons: JSON.parse(readText("tools/pages/package-reasons.json")),
  });
}

function readText(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

const stale = Object.entries(OUTPUTS)
  .map(([file, render]) => ({ path: join(ROOT, file), file, text: render() }))
  .filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);

if (process.argv.includes("--check")) {
  for (const { file } of stale) console.error(`${file} is out of date: run 'npm run generate'`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, file, text } of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${file}`);
  }
}
