import { computeMedian, type Figure, getCpu, getPeak, getServerCpu, getWall, medianOf, type Series } from "./sample.ts";

/** A figure of one command divided by that of another in the same run: the less the better. `bound`: what it may be at most. */
export type Ratio = { readonly name: string; readonly value: number; readonly bound?: number };

/** A figure of this machine, which another run is not compared with. */
export type Limit = {
  readonly name: string;
  readonly value: number;
  readonly unit: "s" | "MiB";
  readonly bound: number;
};

export type Sizes = {
  /** Objects on the real control plane, and on the mock, from few to many. */
  readonly real: readonly number[];
  readonly mock: readonly number[];
};

const MANY = 100_000;

const formatCount = (count: number): string => count.toLocaleString("en");

export function computeRatios(series: readonly Series[], { real, mock }: Sizes): readonly Ratio[] {
  const byId = new Map(series.map((one) => [one.id, one]));
  const divide = (name: string, a: string, b: string, figure: Figure, bound?: number): readonly Ratio[] => {
    const upper = byId.get(a);
    const lower = byId.get(b);
    if (upper === undefined || lower === undefined) return [];
    return [{ name, value: computeRatio(upper, lower, figure), ...(bound === undefined ? {} : { bound }) }];
  };
  const [few = 0, many = 0] = real.slice(-2);
  // What is demanded of many objects does not hold of few, where starting is most of the cost.
  const bound = (at: number): number | undefined => (many >= MANY ? at : undefined);
  const of = `check of ${formatCount(many)} objects`;
  const check = `check-${many}`;
  const kubectl = `kubectl-${many}`;
  return [
    ...divide("`--version` / `node -e 0`, wall", "version", "node", getWall, 2.2),
    ...divide("all checks on the seeded cluster / `kubectl get nodes`, CPU", "registry", "kubectl-nodes", getCpu),
    ...divide(`${of} / plain GETs with pages of 2,000, wall`, check, `get-2000-${many}`, getWall, bound(1.2)),
    ...divide(
      `${of} / plain GETs with pages of 500, CPU of API server and etcd`,
      check,
      `get-500-${many}`,
      getServerCpu,
    ),
    ...divide(`${of} / \`kubectl get -A -o json\`, wall`, check, kubectl, getWall, bound(1 / 15)),
    ...divide(`${of} / \`kubectl get -A -o json\`, peak memory`, check, kubectl, getPeak, bound(1 / 8)),
    ...buildExponent("check", [few, many], byId),
    ...buildExponent("mock-check", mock.slice(-2), byId),
  ];
}

/** Of runs in the same round, which met the same machine. */
function computeRatio(upper: Series, lower: Series, figure: Figure): number {
  if (upper.samples.length !== lower.samples.length) return medianOf(upper, figure) / medianOf(lower, figure);
  const others = lower.samples.map(figure);
  return computeMedian(upper.samples.map((sample, i) => figure(sample) / (others[i] ?? Number.NaN)));
}

function buildExponent(id: string, sizes: readonly number[], byId: ReadonlyMap<string, Series>): readonly Ratio[] {
  const [few = 0, many = 0] = sizes;
  const small = byId.get(`${id}-${few}`);
  const large = byId.get(`${id}-${many}`);
  if (small === undefined || large === undefined) return [];
  const value = Math.log(medianOf(large, getWall) / medianOf(small, getWall)) / Math.log(many / few);
  const where = id === "mock-check" ? " (mock)" : "";
  return [
    { name: `exponent of wall time, ${formatCount(few)} to ${formatCount(many)} objects${where}`, value, bound: 1.1 },
  ];
}

export function computeLimits(series: readonly Series[], { real, mock }: Sizes): readonly Limit[] {
  const byId = new Map(series.map((one) => [one.id, one]));
  const build = (id: string, name: string, figure: Figure, unit: Limit["unit"], bound: number): readonly Limit[] => {
    const one = byId.get(id);
    return one === undefined ? [] : [{ name, value: medianOf(one, figure), unit, bound }];
  };
  const many = real.at(-1) ?? 0;
  const most = mock.at(-1) ?? 0;
  return [
    ...build("registry", "all checks on the seeded cluster, wall", getWall, "s", 0.8),
    ...build("payload", "the same with a payload of real size, wall", getWall, "s", 1.2),
    ...build("payload", "the same with a payload of real size, peak", getPeak, "MiB", 140),
    ...build(`check-${many}`, `${formatCount(many)} objects, CPU`, getCpu, "s", 2),
    ...build(`check-${many}`, `${formatCount(many)} objects, peak`, getPeak, "MiB", 110),
    ...build(`mock-check-${most}`, `${formatCount(most)} objects (mock), peak`, getPeak, "MiB", 200),
  ];
}

/** Times as much as before that counts as worse. */
const WORSE = 1.2;

/** The ratios that got worse by a fifth, as sentences. Those that one of the two runs lacks are not compared. */
export function findWorse(now: readonly Ratio[], before: Readonly<Record<string, number>>): readonly string[] {
  return now.flatMap(({ name, value }) => {
    const old = before[name];
    return old === undefined || value <= old * WORSE ? [] : [`${name}: ${value.toFixed(3)}, was ${old.toFixed(3)}`];
  });
}
