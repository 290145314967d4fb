import type { Metafile } from "esbuild";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { findPackageFolder } from "../package-folders.ts";
import { formatTable } from "./markdown.ts";

const EXECUTABLE = "dist/preflight";

/** Coarse steps, so that code changes rarely change the page. */
const STEP_KB = { package: 10, whole: 50 };

/** How much of the built executable each dependency is. */
export function formatSizes(metafile: Metafile, dependencies: readonly string[]): string {
  const own = getInputs(metafile).filter((path) => findPackage(path) === undefined);
  const [all, ours] = [metafile.outputs[EXECUTABLE]?.bytes ?? 0, sumBytes(metafile, own)];
  const rows = dependencies.map((name) => {
    const { itself, brought } = collectFiles(metafile, name, new Set(dependencies));
    const cells = [itself, brought].map((paths) => formatKilobytes(sumBytes(metafile, paths)));
    return [formatCode(name), ...cells, getPackages(brought).map(formatCode).join(", ") || "-"];
  });
  return [
    `${formatCode(EXECUTABLE)} has about ${roundToStep(all, STEP_KB.whole)} KB minified; about ${roundToStep(ours, STEP_KB.whole)} KB of that is this project's own code.`,
    "",
    formatTable(["package", "KB", "KB of what it imports", "imports"], rows),
  ].join("\n");
}

/** The files of a dependency, and those that it imports, up to other dependencies of this project. */
function collectFiles(metafile: Metafile, name: string, dependencies: ReadonlySet<string>) {
  const itself = getInputs(metafile).filter((path) => findPackage(path) === name);
  const reached = new Set(itself);
  // Iterating a set also visits values that are added during the iteration.
  for (const path of reached)
    for (const { path: next } of metafile.inputs[path]?.imports ?? []) {
      const owner = findPackage(next);
      if (owner !== undefined && (owner === name || !dependencies.has(owner))) reached.add(next);
    }
  return { itself, brought: [...reached].filter((path) => findPackage(path) !== name && isBundled(metafile, path)) };
}

function getInputs(metafile: Metafile): readonly string[] {
  return Object.keys(metafile.outputs[EXECUTABLE]?.inputs ?? {});
}

function isBundled(metafile: Metafile, path: string): boolean {
  return (metafile.outputs[EXECUTABLE]?.inputs[path]?.bytesInOutput ?? 0) > 0;
}

function sumBytes(metafile: Metafile, paths: readonly string[]): number {
  const inputs = metafile.outputs[EXECUTABLE]?.inputs ?? {};
  return paths.reduce((sum, path) => sum + (inputs[path]?.bytesInOutput ?? 0), 0);
}

function getPackages(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => findPackage(path) ?? []))].toSorted();
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
