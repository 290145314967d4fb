import { dirname, join } from "node:path/posix";
import { type SourceFile, parseImports } from "../../verify/shared/imports.ts";

/** Who imports whom, by name: no arrow leads from a name to itself. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

type ImportPair = { readonly from: string; readonly to: string };

/** The generated parts of docs/design/README.md: the folders of src, and the rooms of each. */
export function drawHouse(sources: readonly SourceFile[]): Readonly<Record<"folders" | "rooms", string>> {
  const pairs = sources.flatMap(({ path, text }) =>
    parseImports(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ from: path, to: join(dirname(path), specifier) }))
      .filter(({ to }) => to.startsWith("src/")),
  );
  const paths = sources.map(({ path }) => path);
  return {
    folders: drawFolders(collectArrows(paths, pairs, getFolder)),
    rooms: drawRooms(paths, pairs),
  };
}

function getFolder(path: string): string {
  return path.split("/")[1] ?? "";
}

/** A folder within a top folder, or the files beside such folders. All checks are one room: none imports another. */
function getRoom(path: string): string {
  const [, folder = "", room = "", file] = path.split("/");
  if (file === undefined) return "(files)";
  return folder === "checks" && room !== "shared" ? "<id>" : room;
}

function collectArrows(
  paths: readonly string[],
  pairs: readonly ImportPair[],
  getName: (path: string) => string,
): Arrows {
  const names = [...new Set(paths.map(getName))].toSorted();
  return new Map(
    names.map((name) => {
      const imported = pairs.filter(({ from }) => getName(from) === name).map(({ to }) => getName(to));
      return [name, new Set(imported.filter((other) => other !== name))];
    }),
  );
}

/** An arrow that two or more others make up is left out, so that the drawing can be taken in. */
function drawFolders(arrows: Arrows): string {
  const lines = sortFromTop(arrows).flatMap((name) => {
    const own = [...(arrows.get(name) ?? [])];
    const direct = own.filter((to) => !own.some((by) => by !== to && collectReached(by, arrows).has(to)));
    return direct.length === 0 ? [] : [`    ${name} --> ${direct.toSorted().join(" & ")}`];
  });
  return ["```mermaid", "flowchart TD", ...lines, "```"].join("\n");
}

function drawRooms(paths: readonly string[], pairs: readonly ImportPair[]): string {
  const folders = [...new Set(paths.map(getFolder))].toSorted();
  const blocks = folders.flatMap((folder) => {
    const isOwn = (path: string): boolean => getFolder(path) === folder;
    const arrows = collectArrows(
      paths.filter(isOwn),
      pairs.filter(({ from, to }) => isOwn(from) && isOwn(to)),
      getRoom,
    );
    return arrows.size < 2 ? [] : [[folder, ...formatRooms(arrows)].join("\n")];
  });
  return ["```text", blocks.join("\n\n"), "```"].join("\n");
}

function formatRooms(arrows: Arrows): readonly string[] {
  const rooms = sortFromTop(arrows);
  const width = Math.max(...rooms.map(({ length }) => length));
  return rooms.map((room, i) => {
    const imported = [...(arrows.get(room) ?? [])].toSorted((a, b) => rooms.indexOf(a) - rooms.indexOf(b));
    const names = imported.map((to) => (rooms.indexOf(to) < i ? `^${to}` : to));
    return names.length === 0 ? `  ${room}` : `  ${room.padEnd(width)} -> ${names.join(", ")}`;
  });
}

/** Whoever imports another leads to more than that one, unless they lead to each other. */
function sortFromTop(arrows: Arrows): readonly string[] {
  const reached = new Map([...arrows.keys()].map((name) => [name, collectReached(name, arrows).size]));
  return [...arrows.keys()].toSorted((a, b) => (reached.get(b) ?? 0) - (reached.get(a) ?? 0));
}

/** Everything else that a name leads to, directly or through others. */
function collectReached(name: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const fresh = [...(arrows.get(next) ?? [])].filter((to) => !reached.has(to));
    for (const to of fresh) reached.add(to);
    waiting.push(...fresh);
  }
  reached.delete(name);
  return reached;
}
