import type { Fault } from "../../verify/reliability/faults.ts";
import { createRandom } from "../../verify/schema/random/random.ts";

/** A fault of the answers at one path. */
export type Strike = { readonly path: string; readonly fault: Fault };

export function listStrikes(paths: readonly string[], faults: readonly Fault[]): readonly Strike[] {
  return paths.flatMap((path) => faults.map((fault) => ({ path, fault })));
}

/** As many pairs of strikes; the same ones for a seed. */
export function drawPairs(strikes: readonly Strike[], count: number, seed: number): readonly (readonly Strike[])[] {
  const random = createRandom(seed);
  const draw = (): readonly Strike[] => [random.oneOf(strikes) ?? []].flat();
  return Array.from({ length: count }, () => [...draw(), ...draw()]);
}

/** One fault that strikes each path as its own one does. */
export function combineStrikes(strikes: readonly Strike[]): Fault {
  const byPath = new Map(strikes.map(({ path, fault }) => [path, fault]));
  return {
    name: describeStrikes(strikes),
    strike: (exchange) => byPath.get((exchange.request.url ?? "").split("?", 1).join())?.strike(exchange),
    lasting: "read",
    once: "read",
  };
}

export function describeStrikes(strikes: readonly Strike[]): string {
  return strikes.map(({ path, fault }) => `${fault.name} at ${path}`).join(" and ");
}
