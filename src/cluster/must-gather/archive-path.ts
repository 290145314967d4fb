/** What a file of a must-gather is, by its path. `root`: the folder of the image that gathered it. The core group is "". */
export type ArchivePath =
  | {
      readonly kind: "list";
      readonly root: string;
      readonly group: string;
      readonly resource: string;
      readonly namespace?: string;
    }
  | {
      readonly kind: "object";
      readonly root: string;
      readonly group: string;
      readonly resource: string;
      readonly namespace?: string;
      readonly name: string;
    }
  | { readonly kind: FactFile; readonly root: string };

/** Texts about the archive itself. */
type FactFile = "version" | "timestamp" | "objectCount" | "end";

const CLUSTER_FOLDER = "cluster-scoped-resources";
const NAMESPACE_FOLDER = "namespaces";
const EXTENSION = /\.(?:ya?ml|json)$/;

/** Undefined for logs and everything else that holds no objects. */
export function parseArchivePath(path: string): ArchivePath | undefined {
  const parts = path.split("/");
  const start = parts.findIndex((part) => part === CLUSTER_FOLDER || part === NAMESPACE_FOLDER);
  if (start < 0) return parseFactPath(parts);
  const root = parts.slice(0, start).join("/");
  const rest = parts.slice(start + 1);
  return parts[start] === CLUSTER_FOLDER ? parseScopedPath(root, rest) : parseNamespacedPath(root, rest);
}

function parseFactPath(parts: readonly string[]): ArchivePath | undefined {
  const name = parts.at(-1);
  const folder = parts.at(-2);
  const root = parts.slice(0, -1).join("/");
  if (name === "version" || name === "timestamp") return { kind: name, root };
  // Both commands write this page last.
  if (name === "event-filter.html") return { kind: "end", root };
  if (name === "etcd_object_count" && folder === "etcd_info")
    return { kind: "objectCount", root: parts.slice(0, -2).join("/") };
  return undefined;
}

/** GROUP/RESOURCE.yaml is a list, GROUP/RESOURCE/NAME.yaml one object. */
function parseScopedPath(root: string, rest: readonly string[], namespace?: string): ArchivePath | undefined {
  const [folder = "", first = "", second] = rest;
  const group = folder === "core" ? "" : folder;
  const scope = { root, group, namespace };
  if (rest.length === 2 && EXTENSION.test(first)) return { kind: "list", ...scope, resource: withoutExtension(first) };
  if (rest.length !== 3 || second === undefined || !EXTENSION.test(second)) return undefined;
  return { kind: "object", ...scope, resource: first, name: withoutExtension(second) };
}

/** NAMESPACE/NAMESPACE.yaml is the namespace itself, and NAMESPACE/pods/NAME/NAME.yaml one of its running pods. */
function parseNamespacedPath(root: string, rest: readonly string[]): ArchivePath | undefined {
  const [namespace = "", ...below] = rest;
  const [first = "", name = "", file = ""] = below;
  if (below.length === 1 && EXTENSION.test(first) && withoutExtension(first) === namespace)
    return { kind: "object", root, group: "", resource: "namespaces", name: namespace };
  if (below.length === 3 && first === "pods" && EXTENSION.test(file) && withoutExtension(file) === name)
    return { kind: "object", root, group: "", resource: "pods", namespace, name };
  return parseScopedPath(root, below, namespace);
}

function withoutExtension(name: string): string {
  return name.replace(EXTENSION, "");
}
