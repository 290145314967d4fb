import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { type Json, isObject } from "../../../src/model/json.ts";
import type { Random } from "../random/random.ts";
import { choice } from "./choice.ts";
import { MUTATIONS } from "./mutate.ts";
import { type Mutable, schemasIn } from "./schemas.ts";

/** A CRD from a release, changed or not. */
export type Case = { readonly name: string; readonly definition: Mutable };

/** Kinds of change; all of them by default. */
const KINDS = process.env["PREFLIGHT_MUTATIONS"]?.split(",") ?? Object.keys(MUTATIONS);

/** All distinct CRDs of the releases: "all", or "4.12,5.1". */
export function readDefinitions(shared: string, releases: string): readonly Case[] {
  const crds = join(shared, "crds");
  const all = readdirSync(crds).filter((name) => /^\d+\.\d+$/.test(name));
  const texts = new Map<string, string>();
  for (const release of releases === "all" ? all : releases.split(",")) {
    for (const name of readdirSync(join(crds, release))) {
      const text = readFileSync(join(crds, release, name), "utf8");
      if (!texts.has(text)) texts.set(text, `${release}/${name}`);
    }
  }
  return [...texts].flatMap(([text, name]) => {
    const definition: Json = JSON.parse(JSON.stringify(loadAll(text)[0] ?? null));
    return isObject(definition) && definition["kind"] === "CustomResourceDefinition" ? [{ name, definition }] : [];
  });
}

/** Large CRDs slow the other side down, and small ones cover as many mistakes. */
export function smallest(places: readonly number[], texts: readonly string[]): number {
  const size = (place: number): number => texts[place]?.length ?? 0;
  return places.reduce((least, place) => (size(place) < size(least) ? place : least));
}

/** Changes a CRD in one place. Returns the kind of change. */
export function change(definition: Mutable, random: Random): string {
  const schemas = schemasIn(definition);
  const kind = choice(random, schemas.length === 0 ? ["spec"] : KINDS);
  const at = schemas.length === 0 ? { schema: {}, definition } : choice(random, schemas);
  MUTATIONS[kind]?.(at, random, definition);
  return kind;
}
