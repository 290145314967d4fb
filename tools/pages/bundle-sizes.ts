import type { Metafile } from "esbuild";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { findPackageFolder } from "../package-folders.ts";
import { formatTable } from "../../verify/shared/markdown.ts";

const EXECUTABLE = "dist/preflight";

/** Coarse steps, so that code changes rarely change the page. */
const STEP_KB = { package: 10, whole: 50 };

/** How much of the built executable each dependency is. */
export function formatSizes({ inputs, outputs }: Metafile, dependencies: readonly string[]): string {
  const { bytes = 0, inputs: bundled = {} } = outputs[EXECUTABLE] ?? {};
  const paths = Object.keys(bundled);
  const getBytes = (path: string): number => bundled[path]?.bytesInOutput ?? 0;
  const sumBytes = (some: readonly string[]): number => some.reduce((sum, path) => sum + getBytes(path), 0);
  const rows = dependencies.map((name) => {
    const itself = paths.filter((path) => findPackage(path) === name);
    const reached = followImports(inputs, name, itself, new Set(dependencies));
    const brought = [...reached].filter((path) => findPackage(path) !== name && getBytes(path) > 0);
    const cells = [itself, brought].map((some) => formatKilobytes(sumBytes(some)));
    const packages = new Set(brought.flatMap((path) => findPackage(path) ?? []));
    return [formatCode(name), ...cells, [...packages].toSorted().map(formatCode).join(", ") || "-"];
  });
  const own = sumBytes(paths.filter((path) => findPackage(path) === undefined));
  return [
    `${formatCode(EXECUTABLE)} has about ${roundToStep(bytes, STEP_KB.whole)} KB minified; about ${roundToStep(own, STEP_KB.whole)} KB of that is this project's own code.`,
    "",
    formatTable(["package", "KB", "KB of what it imports", "imports"], rows),
  ].join("\n");
}

/** The files of a dependency, and those that it imports, up to other dependencies of this project. */
function followImports(
  inputs: Metafile["inputs"],
  name: string,
  itself: readonly string[],
  dependencies: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set(itself);
  // Iterating a set also visits values that are added during the iteration.
  for (const path of reached)
    for (const { path: next } of inputs[path]?.imports ?? []) {
      const owner = findPackage(next);
      if (owner !== undefined && (owner === name || !dependencies.has(owner))) reached.add(next);
    }
  return reached;
}

/** "@scope/name" of "node_modules/@scope/name/dist/index.js"; undefined for the project's own files. */
function findPackage(path: string): string | undefined {
  return findPackageFolder(path)?.split("node_modules/").at(-1);
}

function formatKilobytes(bytes: number): string {
  if (bytes === 0) return "-";
  return bytes < (STEP_KB.package / 2) * 1000
    ? `below ${STEP_KB.package / 2}`
    : `${roundToStep(bytes, STEP_KB.package)}`;
}

function roundToStep(bytes: number, step: number): number {
  return Math.round(bytes / 1000 / step) * step;
}
