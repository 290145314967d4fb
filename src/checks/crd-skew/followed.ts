import type { Context } from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import { type Each, each, type Listed, onlyOn, type Values, valuesOf } from "../../model/read.ts";
import { conversionReads, type EndpointsSeen, type ServiceSeen } from "./conversion.ts";
import type { Pair } from "./definitions.ts";
import { type Doomed, doomedRead } from "./deleted.ts";
import { objectsRead } from "./objects.ts";
import { keepRequestCount, type RequestCount } from "./request-counts.ts";
import type { ObjectVerdict } from "./verdict.ts";
import { type Written, writersRead } from "./writers.ts";

type Kept = ObjectVerdict | RequestCount | Written | Doomed | ServiceSeen | EndpointsSeen;

/** Reads that follow from the definitions, by what they are for and, where it is one, the CRD: "objects:widgets.example.com". */
export type Followed = Readonly<Record<string, Each<Kept>>>;

const [OBJECTS, WRITERS, DOOMED] = ["objects:", "writers:", "doomed:"] as const;

/** Request counts come with the objects: they are a payload's kind too, and so may be wanted twice. */
export function followedReads(pairs: readonly Pair[], deleted: readonly Crd[], context: Context): Followed {
  const reads: readonly (readonly [string, Each<Kept> | undefined])[] = [
    ...pairs.map((pair) => [OBJECTS + pair.target.name, objectsRead(pair, context)] as const),
    ...pairs.map((pair) => [WRITERS + pair.target.name, writersRead(pair)] as const),
    ...deleted.map((crd) => [DOOMED + crd.name, doomedRead(crd)] as const),
  ];
  const wanted = reads.flatMap(([key, read]) => (read === undefined ? [] : [[key, read] as const]));
  return { ...Object.fromEntries(wanted), ...countReads(), ...conversionReads(pairs, context) };
}

export function countReads(): { readonly requestCounts: Each<RequestCount> } {
  const counts = each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount);
  return { requestCounts: onlyOn("openshift", counts) };
}

/** What was read, told apart again. What could not be read is absent, and a blind spot already. */
export type Sorted = {
  readonly verdicts: readonly (readonly [crd: string, found: readonly ObjectVerdict[]])[];
  readonly counts: Listed<RequestCount>;
  readonly writersOf: (crd: string) => readonly Written[];
  readonly doomedOf: (crd: string) => Listed<Doomed> | undefined;
  readonly conversion: { readonly services?: Listed<ServiceSeen>; readonly endpoints?: Listed<EndpointsSeen> };
};

export function sorted(followed: Partial<Values<Followed>>): Sorted {
  const objects = Object.entries(followed).filter(([key]) => key.startsWith(OBJECTS));
  const [services, endpoints] = [
    only(followed["services"], (kept) => ("kind" in kept && kept.kind === "service" ? kept : undefined)),
    only(followed["endpoints"], (kept) => ("kind" in kept && kept.kind === "endpoints" ? kept : undefined)),
  ];
  return {
    verdicts: objects.map(([key, listed]) => [
      key.slice(OBJECTS.length),
      some(only(listed, (kept) => ("errors" in kept ? kept : undefined))),
    ]),
    counts: only(followed["requestCounts"], (kept) => ("users" in kept ? kept : undefined)) ?? {
      kind: "absent",
      what: "resource",
    },
    writersOf: (crd) => some(only(followed[WRITERS + crd], (kept) => ("by" in kept ? kept : undefined))),
    doomedOf: (crd) => only(followed[DOOMED + crd], (kept) => ("doomed" in kept ? kept : undefined)),
    conversion: { ...(services ? { services } : {}), ...(endpoints ? { endpoints } : {}) },
  };
}

function only<T>(listed: Listed<Kept> | undefined, as: (kept: Kept) => T | undefined): Listed<T> | undefined {
  if (listed?.kind !== "found") return listed;
  return { kind: "found", values: listed.values.flatMap((kept) => as(kept) ?? []) };
}

function some<T>(listed: Listed<T> | undefined): readonly T[] {
  return listed === undefined ? [] : valuesOf(listed);
}
