import { type Blind, type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import type { Reads } from "../../model/read.ts";
import { type ObjectRef, refKey, refText } from "../../model/resource.ts";
import { concerns } from "./affected.ts";
import { type Decided, type KeptValues, decide } from "./decide.ts";
import { ENTRIES } from "./entries.ts";
import { type KeptRead, planOf, readsOfPlan } from "./readings.ts";
import { messageFor, noticeText, riskText, unreadNotice } from "./texts.ts";
import type { Entry } from "./vocabulary.ts";

type None = Readonly<Record<string, never>>;
type Followed = Readonly<Record<string, KeptRead>>;

export default defineCheck<None, Followed>({
  id: "known-bugs",
  name: "KnownBugs",
  title: "No fault that is known of the target hits this cluster",
  risks: ENTRIES.filter(({ certainty }) => certainty === "risk").map(riskText),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({}),
  mayRead: (): Reads => readsOf(ENTRIES),
  follow: (_, context) => readsOf(concerning(context)),
  evaluate: (_, context, followed) => judge(concerning(context), context, followed),
});

function concerning({ source, target }: Context): readonly Entry[] {
  return ENTRIES.filter((entry) => concerns(entry, source, target));
}

function readsOf(entries: readonly Entry[]): Followed {
  return Object.fromEntries(entries.flatMap((entry) => readsOfPlan(planOf(entry))));
}

function judge(entries: readonly Entry[], { source, target }: Context, values: KeptValues): Judgement {
  if (entries.length === 0)
    return { notApplicable: `No fault is known of an update from ${source.text} to ${target.text}.` };
  const decided = entries.map((entry) => ({ entry, result: decide(planOf(entry), values) }));
  const needed = new Set(decided.flatMap(({ entry, result }) => (entry.certainty === "risk" ? result.failed : [])));
  return {
    findings: decided.flatMap(({ entry, result }) => findingsOf(entry, result, target.text)),
    notices: decided.flatMap(({ entry, result }) => noticesOf(entry, result, target.text)),
    blind: decided.flatMap(({ entry, result }) => doubtsOf(entry, result)),
    needless: Object.keys(readsOf(entries)).filter((key) => !needed.has(key)),
  };
}

const CLUSTER_VERSION: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", name: "version" };

/** What the fault lies in; where nothing is at fault but the kind of cluster, what shows that; else the cluster as a whole. */
function objectsOf({ objects, context }: Decided): readonly ObjectRef[] {
  if (objects.length > 0) return objects;
  return context.length > 0 ? context : [CLUSTER_VERSION];
}

function findingsOf(entry: Entry, result: Decided, target: string): readonly Finding[] {
  if (entry.certainty !== "risk" || result.truth !== "yes") return [];
  const message = `${messageFor(entry, target)}.`;
  return distinctRefs(objectsOf(result)).map((object) => ({ risk: entry.name, object, message }));
}

/** What can't be read is no less worth a look than what was read. */
function noticesOf(entry: Entry, result: Decided, target: string): readonly string[] {
  if (entry.certainty !== "notice" || result.truth === "no") return [];
  if (result.truth === "unknown") return [unreadNotice(entry, target)];
  return [noticeText(entry, distinctRefs(objectsOf(result)).map(refText), target)];
}

function doubtsOf(entry: Entry, { unclear }: Decided): readonly Blind[] {
  if (entry.certainty !== "risk") return [];
  return distinctRefs(unclear).map((ref) => ({
    reason: "NotUnderstood",
    where: refText(ref),
    message: `it holds what can't be understood, so whether ${entry.name} concerns it is not known`,
  }));
}

function distinctRefs(refs: readonly ObjectRef[]): readonly ObjectRef[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}
