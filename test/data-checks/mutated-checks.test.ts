import { strict as assert } from "node:assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checks as embedded } from "../../src/checks/index.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import type { CheckSource } from "../../src/model/check-origin.ts";
import type { Check } from "../../src/model/check.ts";
import type { CheckReport } from "../../src/model/report.ts";
import { readPayload } from "../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../src/release/payload/release-selection.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { mutateCheck } from "../support/data-checks/mutated-checks.ts";
import { createRandom } from "../../verify/schema/random/random.ts";

// PREFLIGHT_MUTATED=1000 PREFLIGHT_SEED=7 node --test test/data-checks/mutated-checks.test.ts
const COUNT = Number(process.env["PREFLIGHT_MUTATED"] ?? 100);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
/** As many as one origin may have. */
const MOST = 100;
/** Who brings them, one after the other: an operator's may read little. */
const SOURCES: readonly (readonly [source: CheckSource, given?: Parameters<typeof loadChecks>[3]])[] = [
  [{ kind: "site" }],
  [{ kind: "payload", release: "4.18.6" }],
  [
    { kind: "operator", package: "shop-operator", version: "1.2.3" },
    { scope: { kinds: ["nodes.config.openshift.io"], namespaces: ["shop"] } },
  ],
];
const ROOT = join(import.meta.dirname, "..", "..");
const random = createRandom(SEED);
const texts = globSync(["src/checks/*/check.yaml", "examples/checks/*/check.yaml"], { cwd: ROOT })
  .toSorted()
  .map((file) => readFileSync(join(ROOT, file), "utf8"));

async function judgeDemo(checks: readonly Check[]): Promise<readonly CheckReport[]> {
  const read = await readPayload(join(ROOT, "demo", "release"));
  if (read.kind === "failed") assert.fail(read.failure.message);
  const { payload } = read;
  const result = await runCycle({
    selection: { checks },
    reader: await createRecordedReader(join(ROOT, "demo")),
    target: { kind: "read", version: payload.version, select: (facts) => selectRelease(payload, facts) },
    now: new Date("2026-11-20T00:00:00Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 600_000 },
  });
  return result.kind === "completed" ? result.report.checks : assert.fail(result.failure.message);
}

const baseline = JSON.stringify(await judgeDemo(embedded));

test("whatever is wrong with checks of others, they fail alone", async (t) => {
  const outcomes = new Map<string, number>();
  for (let made = 0; made < COUNT; made += MOST) {
    const mutated = Array.from({ length: Math.min(MOST, COUNT - made) }, (_, i) => ({
      name: `m${made + i}.yaml`,
      text: mutateCheck(random.oneOf(texts) ?? assert.fail(), texts, random, `m${made + i}`),
    }));
    const loaded = await Promise.all(
      SOURCES.map(([source, given], k) =>
        loadChecks(
          mutated.filter((_, i) => i % SOURCES.length === k),
          source,
          new Set(embedded.map(({ id }) => id)),
          given,
        ),
      ),
    );
    const checks = loaded.flatMap((one) => one.checks);
    const faults = loaded.flatMap((one) => one.faults);
    const reports = await judgeDemo([...embedded, ...checks]);
    const own = new Set(checks.map(({ id }) => id));
    assert.equal(JSON.stringify(reports.filter(({ id }) => !own.has(id))), baseline);
    for (const { id, outcome } of reports.filter((one) => own.has(one.id))) {
      const crash = outcome.kind === "unknown" && outcome.unknowns.find(({ reason }) => reason === "CheckFailed");
      assert.ok(
        !crash,
        `${id}: ${JSON.stringify(crash)}\n${mutated.find(({ name }) => `${id}.yaml`.endsWith(`-${name}`))?.text ?? ""}`,
      );
      outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
    }
    assert.ok(faults.length > 0);
  }
  const cpu = process.cpuUsage();
  t.diagnostic(
    `${[...outcomes].map(([kind, count]) => `${count} ${kind}`).join(", ")}; ${Math.round((cpu.user + cpu.system) / 1_000)} ms of CPU in all`,
  );
});
