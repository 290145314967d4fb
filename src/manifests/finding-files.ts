import type { Finding } from "../model/check.ts";
import type { FileState, FindingFile } from "../model/finding-file.ts";
import { type JsonObject, at } from "../model/json.ts";
import type { Manifest, ManifestPath, PlacedFinding, PlacedUnknown } from "../model/manifest.ts";
import { type ObjectRef, buildRefKey, getGroup, refOf } from "../model/resource.ts";
import { parseFieldPath } from "./field-paths.ts";
import { findFormerApi } from "./judges/api-lives.ts";

/** Manifests, and what a target makes of them. */
type JudgedFiles = {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly PlacedFinding[];
  readonly unknowns: readonly PlacedUnknown[];
};

type FilesOfFindings = {
  readonly files: ReadonlyMap<Finding, readonly FindingFile[]>;
  /** The faults of files that no finding has. Those of a later release are none. */
  readonly others: readonly PlacedFinding[];
  /** How many objects of files the target could not be asked about. */
  readonly notJudged: number;
};

type JudgedFile = {
  readonly manifest: Manifest;
  readonly findings: readonly PlacedFinding[];
  readonly isJudged: boolean;
};

/** Where the objects of findings stand in files, and whether these have the faults too. */
export function findFindingFiles(
  findings: readonly Finding[],
  { manifests, findings: faults, unknowns }: JudgedFiles,
): FilesOfFindings {
  const findManifests = createManifestFinder(findings, manifests);
  const faultsByFile = Map.groupBy(faults, buildFileKey);
  const unknownFiles = new Set(unknowns.map(buildFileKey));
  const told = new Set<PlacedFinding>();
  const locate = (finding: Finding) => (manifest: Manifest) => {
    const key = buildFileKey({ object: refOf(manifest.object), place: manifest.locate([]) });
    const file = { manifest, findings: faultsByFile.get(key) ?? [], isJudged: !unknownFiles.has(key) };
    const own = file.findings.filter((fault) => isSame(finding, fault, manifest.object));
    for (const fault of own) told.add(fault);
    return buildFindingFile(finding, file, own[0]);
  };
  const files = new Map(findings.map((finding) => [finding, findManifests(finding).map(locate(finding))]));
  return {
    files,
    others: faults.filter((fault) => fault.effect !== "later" && !told.has(fault)),
    notJudged: unknownFiles.size,
  };
}

function buildFileKey({ object, place }: Pick<PlacedFinding, "object" | "place">): string {
  return [buildRefKey(object), place.file].join("\u0000");
}

/** Of the group without its version, since files and findings may name other versions of the same object, and a file a group of former times. */
function buildObjectKey({ apiVersion, kind, name }: ObjectRef): string {
  const successor = findFormerApi(apiVersion, kind)?.to ?? "";
  return [getGroup(successor === "" ? apiVersion : successor), kind, name].join("\u0000");
}

/** A manifest without a namespace is that of a live object only if no other finding is about another object of its name. */
function createManifestFinder(
  findings: readonly Finding[],
  manifests: readonly Manifest[],
): (finding: Finding) => readonly Manifest[] {
  const placesOf = new Map<string, Set<string>>();
  for (const { object, half } of findings) {
    const key = buildObjectKey(object);
    placesOf.set(key, (placesOf.get(key) ?? new Set()).add(buildPlaceKey(object, half)));
  }
  const byObject = Map.groupBy(manifests, ({ object }) => buildObjectKey(refOf(object)));
  return ({ object }) => {
    const key = buildObjectKey(object);
    const places = [...(placesOf.get(key) ?? [])];
    return (byObject.get(key) ?? []).filter((manifest) => {
      const { namespace } = refOf(manifest.object);
      const own = namespace === undefined ? places : places.filter((one) => one.endsWith(`\u0000${namespace}`));
      return own.length === 1 && (namespace === undefined || namespace === object.namespace);
    });
  };
}

/** The halves of a hosted cluster may have objects of the same name. */
function buildPlaceKey({ namespace = "" }: ObjectRef, half = ""): string {
  return `${half}\u0000${namespace}`;
}

/** What does not change in an update is refused by a target only where it is written anew. */
const FROZEN = "CustomResourceFieldsFrozen";
const INVALID = "CustomResourceInvalid";

/** The indexes of a list may differ between a file and what the cluster makes of it. */
function isSame({ risk, path }: Finding, fault: PlacedFinding, object: JsonObject): boolean {
  if (fault.risk !== (risk === FROZEN ? INVALID : risk)) return false;
  return path === undefined || formatNames(parseFieldPath(object, path)) === formatNames(fault.path);
}

function formatNames(path: ManifestPath): string {
  return JSON.stringify(path.map((step) => (typeof step === "number" ? 0 : step)));
}

function buildFindingFile(finding: Finding, file: JudgedFile, fault: PlacedFinding | undefined): FindingFile {
  if (fault === undefined) return { place: file.manifest.locate([]), state: findState(finding, file) };
  const isCertain = (fault.edits ?? []).length > 0;
  return { place: fault.place, state: "faulty", ...(isCertain ? { remedy: fault.remedy } : {}) };
}

/** The risks that a file shows by itself, and the kinds of fault that it shows of them; without any, all. */
const SHOWN_BY_FILE: ReadonlyMap<string, readonly string[]> = new Map([
  [INVALID, ["invalid"]],
  [FROZEN, ["invalid"]],
  ["CustomResourceFieldsDropped", ["default", "malformed", "pruned"]],
  ["RemovedKubernetesAPIInUse", []],
]);

/** Of a file without the fault. */
function findState({ risk, path, detail }: Finding, { manifest, findings, isJudged }: JudgedFile): FileState {
  const kinds = SHOWN_BY_FILE.get(risk);
  const isShown = kinds !== undefined && (kinds.length === 0 || kinds.includes(detail?.["kind"] ?? ""));
  // In a version that is not served, no field was judged.
  const isServed = findings.every((fault) => fault.path[0] !== "apiVersion");
  if (!isShown || !isJudged || !isServed) return "open";
  if (path === undefined) return "mended";
  const steps = parseFieldPath(manifest.object, path);
  // An apply may leave items of a list that others wrote.
  if (steps.some((step) => typeof step === "number")) return "open";
  return at(manifest.object, ...steps) === undefined ? "unset" : "mended";
}
