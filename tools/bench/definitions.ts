// How long the target's CRDs of an update take to judge, as `crd-skew` judges them: `node tools/bench/definitions.ts [FROM [TO]]`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { loadAll } from "js-yaml";
import { judgeTargetCrds } from "../../src/checks/crd-skew/refused-crds.ts";
import { type Crd, parseCrd } from "../../src/model/crd.ts";
import { at, isObject, type Json, textAt } from "../../src/model/json.ts";

const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");
const [from = "4.22", to = "5.0"] = process.argv.slice(2);

function readCrds(release: string): readonly Crd[] {
  const folder = join(SHARED, "crds", release);
  const crds = readdirSync(folder).flatMap((name) =>
    loadAll(readFileSync(join(folder, name), "utf8")).flatMap((value) => {
      const plain: Json = JSON.parse(JSON.stringify(value ?? null));
      const crd = isObject(plain) && isInDefaultSet(plain) ? parseCrd(plain) : undefined;
      return crd === undefined ? [] : [crd];
    }),
  );
  return [...new Map(crds.map((crd) => [crd.name, crd])).values()];
}

function isInDefaultSet(definition: Json): boolean {
  const set = textAt(definition, "metadata", "annotations", "release.openshift.io/feature-set");
  const isHosted =
    at(definition, "metadata", "annotations", "include.release.openshift.io/self-managed-high-availability") ===
    undefined;
  return !isHosted && (set === undefined || set.split(",").includes("Default"));
}

const [installed, target] = [readCrds(from), readCrds(to)];
const [start, cpu] = [performance.now(), process.cpuUsage()];
const verdicts = judgeTargetCrds(target, installed);
const { user, system } = process.cpuUsage(cpu);
const refused = verdicts.filter(({ verdict }) => verdict.refusals.length > 0).length;
const wall = performance.now() - start;
console.log(
  `${from} to ${to}: ${target.length} CRDs, ${refused} refused, ${wall.toFixed(0)} ms, CPU ${((user + system) / 1_000).toFixed(0)} ms`,
);
