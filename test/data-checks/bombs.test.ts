import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { CHECK_FUNCTIONS } from "../../src/data-checks/functions/table.ts";
import { listBombs } from "../../verify/fuzz/bombs.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import type { Blast } from "../../verify/fuzz/run-bombs.ts";

/** Of the limit of a check, so that each bomb reaches it in a moment. */
const COST = 150_000;
/** Of the bombs; all with PREFLIGHT_CASES=all. */
const STEP = hasAllCases ? 1 : 4;
/** Mebibytes that a check is judged in, as the runner's child has them. */
const HEAP = 320;
/** How much longer a unit of one function may take than one of a plain loop. */
const MOST_TIMES = 15;

const EXPECTED = new RegExp(
  [
    "^clear$",
    "^CostLimit: .* has no value: it (?:costs too much|takes too much memory) to evaluate$",
    "^NotUnderstood: .* has no value: a quantity has more than 1000 characters$",
    "^refused: the pattern repeats too much: it has more than 10000 steps$",
  ].join("|"),
);

test("no check takes much more than it is charged for, and each that ends says why", { timeout: 300_000 }, () => {
  const { stdout, status, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP}`, "verify/fuzz/run-bombs.ts", String(COST), "", String(STEP)],
    { encoding: "utf8", maxBuffer: 1 << 24 },
  );
  assert.equal(status, 0, stderr.slice(0, 1_000));
  const [, reference, ...blasts] = stdout
    .trim()
    .split("\n")
    .map((line): Blast => JSON.parse(line));
  assert.ok(reference !== undefined && blasts.length >= 100 / STEP, `${blasts.length} bombs`);
  const most = MOST_TIMES * reference.milliseconds;
  const wrong = blasts.filter(({ outcome, milliseconds }) => milliseconds > most || !EXPECTED.test(outcome));
  assert.deepEqual(wrong, []);
});

/** Functions that take the same time whatever they are given, that change nothing, or that nobody can call. */
const SMALL = new Set(
  [
    "type getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getMinutes getSeconds getMilliseconds getScheme getHost getEscapedPath",
    "path group serviceAccount resource subresource namespace name fieldSelector labelSelector check allowed reason errored error",
    "sign compareTo asApproximateFloat asInteger isInteger add sub optional.none optional.ofNonZeroValue optional.unwrap value orValue or first last",
    "ip family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast cidr containsIP containsCIDR prefixLength masked",
    "format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035Label format.named major minor patch ref podSpec crosses scaled plural",
  ].flatMap((names) => names.split(" ")),
);

test("each function of checks is in a bomb, unless it has nothing to go through", () => {
  const expressions = listBombs().flatMap(({ when, variables }) => [when, ...variables.map(([, text]) => text)]);
  const all = expressions.join("\n");
  const missing = [...CHECK_FUNCTIONS.names].filter(
    (name) => /^[a-z]\w*(?:\.\w+)?$/i.test(name) && !all.includes(`${name}(`) && !SMALL.has(name),
  );
  assert.deepEqual(missing, []);
});
