import { basename, dirname, join } from "node:path/posix";
import { quoteArgument } from "../../model/commands.ts";
import { type Json, isList, isObject, textAt, textsAt } from "../../model/json.ts";
import type { UnreadManifest } from "../../model/manifest.ts";
import { getGroup } from "../../model/resource.ts";
import { type ListedFile, buildUnread } from "./manifest-files.ts";
import { parseContent } from "./parse-manifests.ts";

/** Of the files of a folder: those that are no manifests until they are rendered, and what to say once for each chart or kustomization. */
export type Layout = {
  readonly covered: ReadonlySet<string>;
  readonly notices: ReadonlyMap<string, UnreadManifest>;
};

/** `root`: the folder or the archive, as it was given. */
export async function findLayout(files: readonly ListedFile[], root: string): Promise<Layout> {
  const covered = new Set<string>();
  const notices = new Map<string, UnreadManifest>();
  const names = files.map(({ name }) => name);
  addCharts(files, root, { covered, notices });
  addKustomizations(await readKustomizations(files, covered), new Set(names), root, { covered, notices });
  return { covered, notices };
}

type OpenLayout = { readonly covered: Set<string>; readonly notices: Map<string, UnreadManifest> };

const CHART = "Chart.yaml";
/** What a chart has beside the manifests in crds, which are none of templates. */
const CHART_PART = /^(?:Chart\.yaml|values[^/]*\.ya?ml|values\.schema\.json|(?:templates|charts|ci)\/.*)$/;

function addCharts(files: readonly ListedFile[], root: string, { covered, notices }: OpenLayout): void {
  const names = files.map(({ name }) => name);
  const charts = names.filter((name) => basename(name) === CHART).map((name) => dirname(name));
  if (charts.length === 0) return;
  for (const name of names) {
    const around = charts.filter((chart) => chart === "." || name.startsWith(`${chart}/`));
    const inCharts = around.map((chart) => (chart === "." ? name : name.slice(chart.length + 1)));
    if (inCharts.some((part) => CHART_PART.test(part)) && !inCharts.some((part) => part.startsWith("crds/")))
      covered.add(name);
  }
  for (const chart of charts) {
    const isPart = charts.some((other) => other !== chart && isIn(join(chart, CHART), join(other, "charts")));
    // Helm takes its packages as they are: a folder in an archive.
    const isPackage = isArchive(files) && !chart.includes("/");
    const folder = quoteArgument(isPackage ? root : join(root, chart));
    const message = `it is a chart of Helm, and templates are not read: run "helm template ${folder} | preflight manifests -", or give --helm ${folder}`;
    if (!isPart) notices.set(join(chart, CHART), buildUnread("NotRendered", join(root, chart, CHART), message));
  }
}

function isArchive(files: readonly ListedFile[]): boolean {
  return files.every(({ path }) => path === undefined);
}

function isIn(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`);
}

async function readKustomizations(
  files: readonly ListedFile[],
  covered: ReadonlySet<string>,
): Promise<readonly Kustomization[]> {
  const found: Kustomization[] = [];
  for (const file of files) {
    if (!/^[Kk]ustomization(?:\.ya?ml)?$/.test(basename(file.name)) || covered.has(file.name)) continue;
    const content = await file.read();
    const parsed = typeof content === "string" ? parseKustomization(file.name, content) : undefined;
    if (parsed !== undefined) found.push(parsed);
  }
  return found;
}

/**
 * A kustomization that only lists manifests, and names or labels them, changes nothing that is judged: they are read as they stand. Of any
 * other one, the files are parts, patches among them, and say nothing by themselves.
 */
function addKustomizations(
  all: readonly Kustomization[],
  names: ReadonlySet<string>,
  root: string,
  { covered, notices }: OpenLayout,
): void {
  const byFolder = new Map(all.map((one) => [one.folder, one]));
  const used = new Set(all.flatMap(({ folder, references }) => references.filter((one) => one !== folder)));
  const manifests = new Set<string>();
  const pending = new Set(all);
  // Those that use each other in a circle come last.
  for (const one of [...all].toSorted((a, b) => Number(used.has(a.folder)) - Number(used.has(b.folder)))) {
    covered.add(one.name);
    for (const name of one.references) if (names.has(name)) covered.add(name);
    if (!pending.has(one)) continue;
    const inner = collectInner(one, byFolder);
    for (const other of inner) pending.delete(other);
    const listed = [...inner].flatMap(({ resources }) => resources.filter((name) => !byFolder.has(name)));
    const isPlain = [...inner].every((other) => other.isPlain) && listed.every((name) => names.has(name));
    if (isPlain && !used.has(one.folder)) for (const name of listed) manifests.add(name);
    else notices.set(one.name, describeKustomization(one, root));
  }
  for (const name of manifests) covered.delete(name);
}

/** A kustomization with those among its resources, theirs and so on. */
function collectInner(one: Kustomization, byFolder: ReadonlyMap<string, Kustomization>): ReadonlySet<Kustomization> {
  const inner = new Set([one]);
  for (const { references } of inner)
    for (const reference of references) {
      const next = byFolder.get(reference);
      if (next !== undefined) inner.add(next);
    }
  return inner;
}

function describeKustomization({ name, folder }: Kustomization, root: string): UnreadManifest {
  const path = quoteArgument(join(root, folder));
  const message = `it is a kustomization that changes its manifests, and they are not read before: run "kustomize build ${path} | preflight manifests -", or give --kustomize ${path}`;
  return buildUnread("NotRendered", join(root, name), message);
}

/** A kustomization of a folder, with the files and folders that it names, relative to the root of all. */
type Kustomization = {
  readonly name: string;
  readonly folder: string;
  readonly resources: readonly string[];
  readonly references: readonly string[];
  /** It changes nothing of its resources but names, labels, annotations and images. */
  readonly isPlain: boolean;
};

/** Fields that change nothing by which a manifest is judged. */
const PLAIN_FIELDS = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "resources",
  "namespace",
  "namePrefix",
  "nameSuffix",
  "labels",
  "commonLabels",
  "commonAnnotations",
  "images",
  "configMapGenerator",
  "secretGenerator",
  "generatorOptions",
  "sortOptions",
  "buildMetadata",
]);

/** Undefined if the text is none, which is then read as any other file. */
function parseKustomization(name: string, text: string): Kustomization | undefined {
  const parsed = parseContent(text);
  const content = parsed.kind === "documents" ? parsed.documents[0] : undefined;
  const group = getGroup(textAt(content, "apiVersion") ?? "");
  if (!isObject(content) || (group !== "" && group !== "kustomize.config.k8s.io")) return undefined;
  const folder = dirname(name);
  const resources = textsAt(content, "resources");
  // A resource may be elsewhere: a URL, or the address of a repository.
  const resolve = (path: string): string => join(folder, path);
  return {
    name,
    folder,
    resources: resources.map(resolve),
    references: listTexts(content)
      .flatMap((line) => [line, line.slice(line.indexOf("=") + 1)])
      .map(resolve),
    isPlain: Object.keys(content).every((key) => PLAIN_FIELDS.has(key)) && content["kind"] !== "Component",
  };
}

/** Longer texts are patches. */
function listTexts(value: Json): readonly string[] {
  if (typeof value === "string") return value.includes("\n") ? [] : [value];
  if (isList(value)) return value.flatMap(listTexts);
  return isObject(value) ? Object.values(value).flatMap(listTexts) : [];
}
