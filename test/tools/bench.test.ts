import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCpuTicks } from "../../verify/bench/processes.ts";
import { computeLimits, computeRatios, findWorse } from "../../verify/bench/ratios.ts";
import { formatResults } from "../../verify/bench/results-page.ts";
import { computeMedian, runRounds, type Sample, type Series } from "../../verify/bench/sample.ts";

const SIZES = { real: [10_000, 100_000], mock: [100_000, 1_000_000] };

function buildSample(seconds: number, more: Partial<Sample> = {}): Sample {
  return { seconds, cpuSeconds: seconds / 2, peakMib: 100, ...more };
}

function buildSeries(id: string, ...seconds: readonly number[]): Series {
  return { id, title: `\`${id}\``, samples: seconds.map((one) => buildSample(one)) };
}

test("reads the CPU of a process whose name has spaces and brackets", () => {
  const stat = `12 (a b) c) R 1 12 12 0 -1 4194304 100 0 0 0 7 8 9 10 20 0 1 0 100 0 0`;
  assert.deepEqual(parseCpuTicks(stat), [7, 8, 9, 10]);
});

test("takes the middle, and the mean of two middles", () => {
  assert.deepEqual([computeMedian([3, 1, 2]), computeMedian([4, 1, 2, 3]), computeMedian([])], [2, 2.5, 0]);
});

test("runs the cases in turn, after a round that does not count", async () => {
  const order: string[] = [];
  const build = (id: string) => ({
    id,
    title: id,
    async run() {
      order.push(id);
      return buildSample(order.length);
    },
  });
  const series = await runRounds(2, [build("a"), build("b")]);
  assert.equal(order.join(""), "ababab");
  assert.deepEqual(
    series.map(({ samples }) => samples.map(({ seconds }) => seconds)),
    [
      [3, 5],
      [4, 6],
    ],
  );
});

test("divides runs of the same round, and leaves out what was not measured", () => {
  const series = [
    buildSeries("check-100000", 2, 40, 3),
    buildSeries("get-2000-100000", 2, 20, 3),
    buildSeries("check-10000", 0.3),
    buildSeries("kubectl-100000", 30),
  ];
  const ratios = computeRatios(series, SIZES).map(({ name, value, bound }) => [name, value.toFixed(3), bound]);
  assert.deepEqual(ratios, [
    ["check of 100,000 objects / plain GETs with pages of 2,000, wall", "1.000", 1.2],
    ["check of 100,000 objects / `kubectl get -A -o json`, wall", "0.100", 1 / 15],
    ["check of 100,000 objects / `kubectl get -A -o json`, peak memory", "1.000", 1 / 8],
    ["exponent of wall time, 10,000 to 100,000 objects", "1.000", 1.1],
  ]);
});

test("finds the ratios that got worse by more than a fifth, among those of both runs", () => {
  const now = [
    { name: "a", value: 1.2 },
    { name: "b", value: 1.21 },
    { name: "new", value: 9 },
  ];
  assert.deepEqual(findWorse(now, { a: 1, b: 1, gone: 1 }), ["b: 1.210, was 1.000"]);
});

test("the page marks what is missed, and shows the control plane's cost only where there is one", () => {
  const server = { apiServerSeconds: 1.5, etcdSeconds: 0.25, grownMib: 12, requests: 3 };
  const kind: Series = {
    id: "check-100000",
    title: "`check`",
    samples: [buildSample(5, { server, requests: 1_234, bytes: 5_600_000 })],
  };
  const series = [kind, buildSeries("node", 0.05), buildSeries("version", 0.2)];
  const page = formatResults({
    circumstances: {
      commit: "abc",
      machine: "2 × CPU",
      node: "Node 24",
      load: "1.0",
      isBusy: false,
      missing: ["pluto"],
    },
    ratios: computeRatios(series, SIZES),
    limits: computeLimits(series, SIZES),
    tables: new Map([
      ["Starting", series.slice(1)],
      ["One kind", [kind]],
    ]),
  });
  const lines = page.split("\n");
  for (const line of [
    "| `--version` / `node -e 0`, wall | 4.00 | 2.20: missed |",
    "| 100,000 objects, CPU | 2.50 s | 2.00 s: missed |",
    "| 100,000 objects, peak | 100 MiB | 110 MiB |",
    "| `node` | 0.05 s | 0.03 s | 100 MiB |  |  |",
    "| `check` | 5.00 s | 2.50 s | 100 MiB | 1,234 | 5.6 MB | 1.50 s | 0.25 s | 12 MiB |",
    "Not on PATH, and so not measured: pluto.",
  ])
    assert.ok(lines.includes(line), `${line}\n${page}`);
  assert.ok(!page.includes("busy"));
});
