import type { Context, Finding } from "../../model/check.ts";
import { type JsonObject, parseObject, textAt } from "../../model/json.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import { joinNames, sortNames, summarizeNames } from "../../model/text.ts";
import { type Each, eachMetadata, soundInPart, withManagedFields } from "../../model/read.ts";
import { type ObjectRef, type Resource, formatGroupVersion, formatResource } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";
import { listWriters, type ObjectWriter, type ObjectWriters, VERSIONLESS_MANAGERS } from "../shared/api-use.ts";
import { type ApiRemoval, findReplacement, REMOVALS } from "../../model/api-removals.ts";
import { selectNamespaces } from "./api-usage.ts";
import { CLIENT_SEPARATOR, risks } from "./risks.ts";

/** Kubernetes 1.24 is out of support: its objects are not worth the rights to list them. */
const FIRST_LISTED_MINOR = 26;

/** Managers that the update replaces: those of the control plane. */
const CONTROL_PLANE_MANAGERS: ReadonlySet<string> = new Set([
  "cloud-controller-manager",
  "cluster-policy-controller",
  "cluster-version-operator",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
]);
/** The API server writes the objects of flow control under names of its own. */
const FLOW_CONTROL_MANAGER = "api-priority-and-fairness-config-";

type WriterReads = Readonly<Record<string, Each<ObjectWriters>>>;

/** Reads the metadata of the objects whose kind loses a version, in another version: a request in the lost one would count as a use. */
export function buildWriterReads(removals: readonly ApiRemoval[], served: ReadonlySet<string>): WriterReads {
  const groups = Map.groupBy(removals, ({ api }) => `${api.group}/${api.resource}`);
  return Object.fromEntries(
    [...groups].flatMap(([key, group]) => buildWriterRead(group, served).map((read) => [key, read])),
  );
}

function buildWriterRead(group: readonly ApiRemoval[], served: ReadonlySet<string>): readonly Each<ObjectWriters>[] {
  const removed = new Set(group.map(({ api }) => formatGroupVersion(api)));
  return selectSuccessors(group)
    .filter((api) => served.has(formatGroupVersion(api)) && !removed.has(formatGroupVersion(api)))
    .slice(0, 1)
    .map((resource) => {
      const type = { apiVersion: formatGroupVersion(resource), kind: resource.kind };
      const read = eachMetadata(resource, (object) => keepObjectWriters(object, type, removed));
      return withManagedFields(soundInPart("object", read));
    });
}

/** Keeps an object of which somebody's last write was in one of `removed`, groups and versions. A list of metadata doesn't tell its kind. */
function keepObjectWriters(
  object: JsonObject,
  type: Pick<ObjectRef, "apiVersion" | "kind">,
  removed: ReadonlySet<string>,
): ObjectWriters | undefined {
  const all = listWriters(object);
  const isLast = (one: ObjectWriter): boolean => !all.some((other) => hasMoved(one, other, removed));
  const writers = all.filter((one) => removed.has(one.version) && !isOwnManager(one.manager) && isLast(one));
  const applied = parseObject(textAt(object, "metadata", "annotations", LAST_APPLIED) ?? "");
  const version = textAt(applied, "apiVersion") ?? "";
  if (writers.length === 0 && !removed.has(version)) return undefined;
  const namespace = textAt(object, "metadata", "namespace");
  const ref = { ...type, namespace, name: textAt(object, "metadata", "name") ?? "" };
  return { object: ref, writers, ...(removed.has(version) ? { appliedVersion: version } : {}) };
}

function isOwnManager(manager: string): boolean {
  if (VERSIONLESS_MANAGERS.has(manager) || CONTROL_PLANE_MANAGERS.has(manager)) return true;
  return manager.startsWith(FLOW_CONTROL_MANAGER);
}

/** Whether the manager wrote in another version since. A write of the same second doesn't prove it. */
function hasMoved(
  before: ObjectWriter,
  { manager, version, time }: ObjectWriter,
  removed: ReadonlySet<string>,
): boolean {
  if (manager !== before.manager || removed.has(version)) return false;
  const since = parseTimestamp(time);
  const last = parseTimestamp(before.time);
  return since !== undefined && (last === undefined || since > last);
}

function selectSuccessors(group: readonly ApiRemoval[]): readonly (Resource & { readonly kind: string })[] {
  return group
    .filter(({ removedIn }) => removedIn.kubernetes >= FIRST_LISTED_MINOR)
    .flatMap(({ api, kind, successors }) => successors.map(({ version }) => ({ ...api, version, kind })));
}

/** What any cluster may need, for the rights. */
export function buildPossibleReads(): WriterReads {
  return buildWriterReads(REMOVALS, new Set(selectSuccessors(REMOVALS).map(formatGroupVersion)));
}

/** The objects that somebody last wrote in a version that the target removes. */
export function judgeWriters(
  objects: readonly ObjectWriters[],
  removals: readonly ApiRemoval[],
  context: Context,
): readonly Finding[] {
  const own = selectNamespaces(context.release);
  return objects
    .filter(({ object: { namespace } }) => namespace === undefined || !own.has(namespace))
    .flatMap((one) => buildFinding(one, removals, context));
}

function buildFinding(one: ObjectWriters, removals: readonly ApiRemoval[], context: Context): readonly Finding[] {
  const versions = sortNames([
    ...one.writers.map(({ version }) => version),
    ...(one.appliedVersion === undefined ? [] : [one.appliedVersion]),
  ]);
  const removal = removals.find(({ api, kind }) => kind === one.object.kind && formatGroupVersion(api) === versions[0]);
  if (removal === undefined) return [];
  const replacement = findReplacement(removal.api, context);
  const managers = sortNames(one.writers.map(({ manager }) => manager));
  const lastWritten = one.writers
    .map(({ time }) => time)
    .toSorted()
    .at(-1);
  const removedIn = `1.${removal.removedIn[context.platform]}`;
  const moves = replacement === undefined ? "" : ` ${formatGroupVersion(replacement)} replaces it.`;
  return [
    {
      risk: risks.RemovedKubernetesAPIInUse.name,
      object: one.object,
      message: `${describeWrite(managers)} ${joinNames(versions)}, which Kubernetes ${removedIn} and later don't serve.${moves}`,
      detail: {
        api: formatResource(removal.api),
        removedIn,
        ...(replacement && { replacement: formatGroupVersion(replacement) }),
        clients: managers.length === 0 ? "kubectl apply" : managers.join(CLIENT_SEPARATOR),
        ...(lastWritten === undefined ? {} : { lastWritten }),
      },
    },
  ];
}

function describeWrite(managers: readonly string[]): string {
  if (managers.length === 0) return 'The configuration that "kubectl apply" last sent is in';
  return `${summarizeNames(managers)} last wrote it in`;
}
