/** A step into an object: a property's name, an index, or a key of a map. */
export type PathSegment = string | number | { readonly key: string };

/** Where one is; grows and shrinks on the way, so that a path is only spelt out where something is to be said. */
export type FieldPath = PathSegment[];

/** "spec.list[0].map[key]": keys of maps in brackets, as the API server's checks of lists and embedded resources print a path. */
export function formatBracketPath(path: readonly PathSegment[]): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    if (typeof segment === "object") return `${text}[${segment.key}]`;
    return text === "" ? segment : `${text}.${segment}`;
  }, "");
}

/** "spec.list[0].map.key": keys of maps after a dot, as the API server's schema validation and its pruning print a path. */
export function formatDottedPath(path: readonly PathSegment[]): string {
  return formatBracketPath(path.map((segment) => (typeof segment === "object" ? segment.key : segment)));
}
