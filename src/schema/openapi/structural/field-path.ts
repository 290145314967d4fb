/** A step of a path: a property's name, an index, or a map key. */
export type PathSegment = string | number | { readonly key: string };

/** The current path. It grows and shrinks during the walk, and is only formatted for messages. */
export type FieldPath = PathSegment[];

/** "spec.list[0].map[key]": map keys in brackets, as the API server's validation of list types and embedded resources prints paths. */
export function formatBracketPath(path: readonly PathSegment[]): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    if (typeof segment === "object") return `${text}[${segment.key}]`;
    return text === "" ? segment : `${text}.${segment}`;
  }, "");
}

/** "spec.list[0].map.key": map keys after a dot, as the API server's schema validation and pruning print paths. */
export function formatDottedPath(path: readonly PathSegment[]): string {
  return formatBracketPath(path.map((segment) => (typeof segment === "object" ? segment.key : segment)));
}
