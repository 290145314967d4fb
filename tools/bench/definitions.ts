// How long the target's CRDs of an update take to judge, as `crd-skew` judges them: `node tools/bench/definitions.ts [FROM [TO]]`.
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { judgeTargetCrds } from "../../src/checks/crd-skew/refused-crds.ts";
import { readReleases } from "../pairs/releases.ts";

const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");
const [from = "4.22", to = "5.0"] = process.argv.slice(2);

const releases = await readReleases(SHARED);
const [installed = [], target = []] = [from, to].map(
  (minor) => releases.find((release) => release.minor === minor)?.sets.get("Default")?.crds,
);
const [start, cpu] = [performance.now(), process.cpuUsage()];
const verdicts = judgeTargetCrds(target, installed);
const { user, system } = process.cpuUsage(cpu);
const refused = verdicts.filter(({ verdict }) => verdict.refusals.length > 0).length;
const wall = performance.now() - start;
console.log(
  `${from} to ${to}: ${target.length} CRDs, ${refused} refused, ${wall.toFixed(0)} ms, CPU ${((user + system) / 1_000).toFixed(0)} ms`,
);
