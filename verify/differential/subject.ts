import { listManagedVersions } from "../../src/checks/crd-skew/conversions.ts";
import { type Crd, parseCrd } from "../../src/model/crd.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { asInstalled } from "../schema/random/crd-changes.ts";
import { type Round, findStorageVersion, listServed } from "./round.ts";

/** A round whose objects can be judged, and the versions that clients can use before the update and after it. */
export type Subject = {
  readonly round: Round;
  readonly installed: Crd;
  readonly target: Crd;
  /** Of Kubernetes. */
  readonly minor: number;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** A webhook converts between the versions, before or after. */
  readonly isWebhookUsed: boolean;
  readonly served: { readonly before: readonly string[]; readonly after: readonly string[] };
};

export function buildSubject(round: Round, minor: number): Subject | undefined {
  const stored = round.older === undefined ? [] : [findStorageVersion(round.older)];
  const installed = parseCrd(asInstalled(round.before, stored));
  const target = parseCrd(round.after);
  if (installed === undefined || target === undefined) return undefined;
  return {
    round,
    installed,
    target,
    minor,
    plural: installed.plural,
    isNamespaced: installed.scope === "Namespaced",
    isWebhookUsed: [installed, target].some(({ conversion }) => conversion.strategy === "Webhook"),
    served: { before: listServed(round.before), after: listServed(round.after) },
  };
}

export function hasStatus({ versions }: Crd, name: string): boolean {
  return versions.some((version) => version.name === name && version.subresources.includes("status"));
}

/** The field that the scale subresource writes, as "spec.replicas", if it is the same before and after the update. */
export function findReplicas({ installed, target }: Subject, name: string): string | undefined {
  const [before, after] = [installed, target].map(({ versions }) => versions.find((one) => one.name === name)?.scale);
  return before?.spec === after?.spec ? after?.spec.slice(1) : undefined;
}

/** Whether managed fields name a version that the target lacks: every apply is then refused, which crd-skew tells of the version. */
export function isManagedInRemoved({ target }: Subject, object: JsonObject): boolean {
  return listManagedVersions(object).some((name) => target.versions.every((version) => version.name !== name));
}

/** "v1": the version of an object. */
export function getVersion(object: JsonObject): string {
  return textAt(object, "apiVersion")?.split("/").at(-1) ?? "";
}
