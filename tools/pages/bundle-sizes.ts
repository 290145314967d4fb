import type { Metafile } from "esbuild";
import { formatCode, formatTable } from "./markdown.ts";

const BEGIN = "<!-- Generated from the build by 'npm run generate': don't edit up to the end of sizes. -->";
const END = "<!-- end of sizes -->";
const EXECUTABLE = "dist/preflight";

/** Coarse, so that a change to the code rarely changes the page. */
const KB = { package: 10, whole: 50 };

/** The page with the sizes of the built executable between its two markers. */
export function withBundleSizes(page: string, metafile: Metafile, dependencies: readonly string[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`docs/dependencies.md lacks the lines "${BEGIN}" and "${END}"`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${sizes(metafile, dependencies)}\n\n${page.slice(end)}`;
}

function sizes(metafile: Metafile, dependencies: readonly string[]): string {
  const own = inputsOf(metafile).filter((path) => packageOf(path) === undefined);
  const [all, ours] = [metafile.outputs[EXECUTABLE]?.bytes ?? 0, bytesOf(metafile, own)];
  const rows = dependencies.toSorted().map((name) => {
    const { itself, brought } = filesOf(metafile, name, new Set(dependencies));
    const cells = [itself, brought].map((paths) => kilobytes(bytesOf(metafile, paths)));
    return [formatCode(name), ...cells, packagesIn(brought).map(formatCode).join(", ") || "-"];
  });
  return [
    `${formatCode(EXECUTABLE)} has about ${rounded(all, KB.whole)} KB minified; about ${rounded(ours, KB.whole)} KB of that is this project's own code.`,
    "",
    formatTable(["package", "KB", "KB of what it imports", "imports"], rows),
  ].join("\n");
}

/** The files of a dependency, and those that it imports, up to other dependencies of this project. */
function filesOf(metafile: Metafile, name: string, dependencies: ReadonlySet<string>) {
  const itself = inputsOf(metafile).filter((path) => packageOf(path) === name);
  const reached = new Set(itself);
  // A set passes on to values that are added while it is iterated.
  for (const path of reached)
    for (const { path: next } of metafile.inputs[path]?.imports ?? []) {
      const owner = packageOf(next);
      if (owner !== undefined && (owner === name || !dependencies.has(owner))) reached.add(next);
    }
  return { itself, brought: [...reached].filter((path) => packageOf(path) !== name && isBundled(metafile, path)) };
}

function inputsOf(metafile: Metafile): readonly string[] {
  return Object.keys(metafile.outputs[EXECUTABLE]?.inputs ?? {});
}

function isBundled(metafile: Metafile, path: string): boolean {
  return (metafile.outputs[EXECUTABLE]?.inputs[path]?.bytesInOutput ?? 0) > 0;
}

function bytesOf(metafile: Metafile, paths: readonly string[]): number {
  const inputs = metafile.outputs[EXECUTABLE]?.inputs ?? {};
  return paths.reduce((sum, path) => sum + (inputs[path]?.bytesInOutput ?? 0), 0);
}

function packagesIn(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => packageOf(path) ?? []))].toSorted();
}

/** "node_modules/@scope/name/dist/index.js" is of "@scope/name"; nothing where a file is the project's own. */
function packageOf(path: string): string | undefined {
  return /^.*(?:^|\/)node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/.exec(path)?.groups?.["name"];
}

function kilobytes(bytes: number): string {
  if (bytes === 0) return "-";
  return bytes < (KB.package / 2) * 1000 ? `below ${KB.package / 2}` : `${rounded(bytes, KB.package)}`;
}

function rounded(bytes: number, step: number): number {
  return Math.round(bytes / 1000 / step) * step;
}
