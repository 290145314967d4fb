import type { JsonObject } from "../../../src/model/json.ts";
import { buildCanary } from "./leaks.ts";
import { PLACES, type Place, REPORTED_PLACES } from "./places.ts";
import { SECRET_KINDS } from "./secret-kinds.ts";

/** An object that holds one secret. The canary occurs nowhere else. */
export type PlantedSecret = {
  readonly kind: string;
  readonly place: string;
  readonly list: string;
  readonly canary: string;
  readonly secret: string;
  readonly object: JsonObject;
};

/** Each kind of secret in each place. */
export const PLANTED: readonly PlantedSecret[] = plant(PLACES);

/** Each kind in each place that reports quote, with which a report is still of a readable size. */
export const REPORTED: readonly PlantedSecret[] = plant(REPORTED_PLACES);

function plant(places: readonly Place[]): readonly PlantedSecret[] {
  return SECRET_KINDS.flatMap(({ kind, write }, i) =>
    places.map(({ place, list, build }, j) => {
      const canary = buildCanary(i, j);
      const secret = write(canary);
      return { kind, place, list, canary, secret, object: build(`planted-${i}-${j}`, secret) };
    }),
  );
}

/** A recorded cluster with the planted objects in its lists; the API server's own kinds that it lacks come new. */
export function addPlanted(cluster: JsonObject, planted: readonly PlantedSecret[]): JsonObject {
  const lists = Map.groupBy(planted, ({ list }) => list);
  const added = [...lists].map(([list, secrets]): [string, JsonObject] => {
    const before = cluster[list];
    const items = typeof before === "object" && before !== null && "items" in before ? before["items"] : [];
    return [list, { items: [...(Array.isArray(items) ? items : []), ...secrets.map(({ object }) => object)] }];
  });
  return { ...cluster, ...Object.fromEntries(added) };
}
