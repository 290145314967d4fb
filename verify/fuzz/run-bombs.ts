import { parseCase } from "../../src/cases/parser.ts";
import { runCase } from "../../src/cases/runner.ts";
import { type DataCheck, buildCheck } from "../../src/data-checks/build-check.ts";
import { compileCheck } from "../../src/data-checks/compile/compile.ts";
import { parseChecks } from "../../src/data-checks/format/parse.ts";
import { createOriginPool } from "../../src/data-checks/run/limits.ts";
import { toYaml } from "../../src/encoding/yaml.ts";
import { type Bomb, listBombs } from "./bombs.ts";

/** What became of a bomb. `milliseconds`: of CPU, as long as it was compiled and judged. */
export type Blast = {
  readonly name: string;
  readonly outcome: string;
  readonly milliseconds: number;
};

/** Takes its whole limit with nothing but plain steps, as an honest check could. */
const REFERENCE: Bomb = {
  name: "reference",
  variables: [],
  when: "lists.range(100000).all(x, lists.range(100).all(y, x >= 0 && y >= 0))",
  text: "",
};

async function judge({ name, variables, when, text }: Bomb, cost: number): Promise<Blast> {
  const start = process.cpuUsage();
  const outcome = await judgeText(writeBomb(variables, when), text, cost);
  const { user, system } = process.cpuUsage(start);
  return { name, outcome, milliseconds: (user + system) / 1_000 };
}

function writeBomb(variables: Bomb["variables"], when: string): string {
  return toYaml({
    apiVersion: "preflight.openshift.io/v1alpha1",
    kind: "PreflightCheck",
    metadata: { name: "bomb" },
    spec: {
      title: "It ends",
      applies: { updates: ["minor"] },
      reads: { maps: { list: "v1/configmaps" } },
      variables: variables.map(([name, expression]) => ({ name, expression })),
      notices: [{ when, message: "It went off." }],
    },
  });
}

/** The outcome and why it is unknown, or what is wrong with the check. */
async function judgeText(text: string, data: string, cost: number): Promise<string> {
  const { checks, faults } = await parseChecks({ name: "bomb.yaml", text });
  const definition = checks[0]?.definition;
  const all = [...faults, ...(checks[0]?.faults ?? []), ...(definition ? compileCheck(definition).faults : [])];
  if (definition === undefined || all.length > 0) return `refused: ${all[0]?.message}`;
  const build = (): DataCheck => buildCheck(definition, { pool: createOriginPool({ cost, kept: 16 << 20 }) });
  // A case asks again, to see whether the answer is the same: it has its limit anew.
  const check: DataCheck = { ...build(), evaluate: (...input) => build().evaluate(...input) };
  const { cluster, ...update } = parseCase("source: 4.18.5\ntarget: 4.19.2\n");
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { text: data } };
  const paths = { ...cluster, "/api/v1/configmaps": { items: [map] } };
  const { outcome } = await runCase({ name: "bomb", file: "bomb.yaml", check, ...update, cluster: paths }, []);
  return outcome.kind === "unknown"
    ? outcome.unknowns.map(({ reason, message }) => `${reason}: ${message}`).join()
    : outcome.kind;
}

/** One line of JSON for each bomb, or each `step`th, after the one of the reference. */
const [cost = "1000000", part = "", step = "1"] = process.argv.slice(2);
const bombs = listBombs().filter(({ name }, i) => name.includes(part) && i % Number(step) === 0);
for (const bomb of [REFERENCE, REFERENCE, ...bombs]) console.log(JSON.stringify(await judge(bomb, Number(cost))));
console.error(`at most ${process.resourceUsage().maxRSS >> 10} MiB`);
