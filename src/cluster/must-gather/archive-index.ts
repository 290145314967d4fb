import { FailedError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import type { ArchiveFile, ArchiveFiles } from "./archive-files.ts";
import { type ArchivePath, parseArchivePath } from "./archive-path.ts";

type ListPath = Extract<ArchivePath, { kind: "list" }>;
type ObjectPath = Extract<ArchivePath, { kind: "object" }>;

/** A file with the objects of one kind: of a namespace, or of the whole cluster. */
export type ListFile = ListPath & { readonly file: ArchiveFile };
/** A file with one object. */
export type ObjectFile = ObjectPath & { readonly file: ArchiveFile };

/** The files of one kind, by "resource.group". */
export type KindFiles = {
  readonly lists: readonly ListFile[];
  readonly objects: readonly ObjectFile[];
  /** Files that are links, and so are not read. */
  readonly links: readonly string[];
};

export type ArchiveIndex = {
  /** The folders of the images that gathered, such as "registry-example-must-gather-sha256-1f". */
  readonly roots: readonly string[];
  /** Folders within them that describe other clusters, such as hosted ones. They are left out. */
  readonly innerRoots: readonly string[];
  readonly kinds: ReadonlyMap<string, KindFiles>;
  readonly versions: readonly ArchiveFile[];
  readonly timestamps: readonly ArchiveFile[];
  readonly objectCounts: readonly ArchiveFile[];
  /** Files that are written when everything else has been. */
  readonly ends: readonly ArchiveFile[];
};

export function buildKindKey({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Sorts the files of an archive by what they hold. Throws a FailedError if no file of it holds an object. */
export function buildArchiveIndex({ files, links }: ArchiveFiles, where: string): ArchiveIndex {
  const parsed = files.flatMap((file) => {
    const path = parseArchivePath(file.path);
    return path === undefined ? [] : [{ path, file }];
  });
  const found = new Set(parsed.flatMap(({ path }) => (isOfKind(path) ? [path.root] : [])));
  if (found.size === 0)
    throw new FailedError(
      `${where} is neither a must-gather nor the folder of 'oc adm inspect': it has no cluster-scoped-resources and no namespaces`,
    );
  const roots = selectOuterRoots([...found]);
  const within = parsed.filter(({ path }) => !isOfKind(path) || roots.includes(path.root));
  return {
    roots,
    innerRoots: [...found].filter((root) => !roots.includes(root)).toSorted(compareText),
    kinds: buildKinds(within, links, roots),
    versions: selectFacts(within, "version", roots),
    timestamps: selectFacts(within, "timestamp", roots),
    objectCounts: selectFacts(within, "objectCount", roots),
    ends: selectFacts(within, "end", roots),
  };
}

function isOfKind(path: ArchivePath): path is ListPath | ObjectPath {
  return path.kind === "list" || path.kind === "object";
}

/** The images' folders are beside each other; deeper ones are what an image gathered from another cluster. */
function selectOuterRoots(roots: readonly string[]): readonly string[] {
  const getDepth = (root: string): number => (root === "" ? 0 : root.split("/").length);
  const least = Math.min(...roots.map(getDepth));
  return roots.filter((root) => getDepth(root) === least).toSorted(compareText);
}

type ParsedFile = { readonly path: ArchivePath; readonly file: ArchiveFile };

function buildKinds(
  parsed: readonly ParsedFile[],
  links: readonly string[],
  roots: readonly string[],
): ReadonlyMap<string, KindFiles> {
  const kinds = new Map<string, { lists: ListFile[]; objects: ObjectFile[]; links: string[] }>();
  const open = (path: ListPath | ObjectPath) => {
    const key = buildKindKey(path);
    const kind = kinds.get(key) ?? { lists: [], objects: [], links: [] };
    kinds.set(key, kind);
    return kind;
  };
  for (const { path, file } of parsed) {
    if (path.kind === "list") open(path).lists.push({ ...path, file });
    if (path.kind === "object") open(path).objects.push({ ...path, file });
  }
  for (const link of links) {
    const path = parseArchivePath(link);
    if (path !== undefined && isOfKind(path) && roots.includes(path.root)) open(path).links.push(link);
  }
  return kinds;
}

/** An image's facts are in its folder, those of the whole must-gather above. */
function selectFacts(
  parsed: readonly ParsedFile[],
  kind: Exclude<ArchivePath["kind"], "list" | "object">,
  roots: readonly string[],
): readonly ArchiveFile[] {
  const isNear = (root: string): boolean => roots.some((one) => one === root || getParent(one) === root);
  return parsed.filter(({ path }) => path.kind === kind && isNear(path.root)).map(({ file }) => file);
}

function getParent(root: string): string {
  return root.includes("/") ? root.slice(0, root.lastIndexOf("/")) : "";
}
