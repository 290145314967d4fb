import type { Metafile } from "esbuild";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { formatSizes } from "./bundle-sizes.ts";
import { formatTable, replaceParts } from "../../verify/shared/markdown.ts";

/** What a package does, what it saves, and when it was last released. */
type PackageReason = { readonly why: string; readonly insteadOf?: string; readonly released: string };

/** What docs/dependencies.md follows from: package.json, package-lock.json, dist/meta.json and the reasons. */
export type DependencyFacts = {
  readonly manifest: PackageManifest;
  readonly lockfile: { readonly packages: Readonly<Record<string, { readonly license?: string }>> };
  readonly metafile: Metafile;
  readonly reasons: Readonly<Record<string, PackageReason>>;
};
type PackageManifest = Readonly<
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Readonly<Record<string, string>>>
>;

/** The page with its generated parts; the rest is written by hand. Throws if packages and reasons differ. */
export function withDependencies(page: string, { manifest, lockfile, metafile, reasons }: DependencyFacts): string {
  const bundled = Object.keys(manifest.dependencies).toSorted();
  const others = Object.keys({ ...manifest.devDependencies, ...manifest.optionalDependencies }).toSorted();
  requireReasons([...bundled, ...others], Object.keys(reasons));
  const row = (name: string): readonly string[] => {
    const { why = "", insteadOf = "-", released = "" } = reasons[name] ?? {};
    const licence = lockfile.packages[`node_modules/${name}`]?.license ?? "";
    return [formatCode(name), why, insteadOf, licence, released];
  };
  const parts = {
    packages: formatTable(["package", "why", "instead of", "licence", "last release"], bundled.map(row)),
    sizes: formatSizes(metafile, bundled),
    tools: formatTable(
      ["package", "why", "licence", "last release"],
      others.map(row).map(([name = "", why = "", , ...rest]) => [name, why, ...rest]),
    ),
  };
  return replaceParts(page, parts);
}

function requireReasons(packages: readonly string[], reasons: readonly string[]): void {
  const unexplained = packages.filter((name) => !reasons.includes(name));
  const unused = reasons.filter((name) => !packages.includes(name));
  if (unexplained.length + unused.length === 0) return;
  const lines = [...unexplained.map((name) => `${name} has no reason`), ...unused.map((name) => `${name} is not used`)];
  throw new Error(`tools/pages/package-reasons.json and package.json differ: ${lines.join(", ")}`);
}
