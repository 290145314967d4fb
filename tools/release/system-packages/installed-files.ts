import { constants, gzipSync } from "node:zlib";
import { compareText } from "../../../src/model/json.ts";
import type { BuildPlatform } from "../platform.ts";
import type { Project } from "../project.ts";

/** Something that a package of a system installs. `path`: from the root, without a slash at its beginning. */
export type InstalledFile =
  | { readonly kind: "file"; readonly path: string; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string };

/** What all packages of a platform install, sorted by path. */
export type PackageContents = {
  readonly executable: Buffer;
  readonly manPage: Buffer;
  /** The licences of the project, of Node and of the bundled packages, by the names of their files. */
  readonly licences: Readonly<Record<string, Buffer>>;
};

export function listInstalledFiles(name: string, contents: PackageContents): readonly InstalledFile[] {
  const { executable, manPage, licences } = contents;
  const packed = gzipSync(manPage, { level: constants.Z_BEST_COMPRESSION });
  const files: readonly InstalledFile[] = [
    { kind: "file", path: "usr/bin/preflight", bytes: executable, mode: 0o755 },
    { kind: "link", path: "usr/bin/kubectl-preflight_update", target: "preflight" },
    { kind: "file", path: "usr/share/man/man1/preflight.1.gz", bytes: packed, mode: 0o644 },
    ...Object.entries(licences).map(([file, bytes]): InstalledFile => ({
      kind: "file",
      path: `usr/share/doc/${name}/${file}`,
      bytes,
      mode: 0o644,
    })),
  ];
  return files.toSorted((a, b) => compareText(a.path, b.path));
}

/** How RPM calls the architectures. */
export const RPM_ARCHITECTURES = { amd64: "x86_64", arm64: "aarch64" } as const;

/** The packages' files. */
export function nameSystemPackages(
  { name, version }: Project,
  architecture: BuildPlatform["oci"]["architecture"],
): { readonly deb: string; readonly rpm: string } {
  const own = toPackageVersion(version);
  return {
    deb: `${name}_${own}_${architecture}.deb`,
    rpm: `${name}-${own}-1.${RPM_ARCHITECTURES[architecture]}.rpm`,
  };
}

/** The version in the packages' own order, in which "~" comes before the end of a text: 1.0.0~rc.1 before 1.0.0. */
export function toPackageVersion(version: string): string {
  return version.replace("-", "~");
}

/** What Node needs of a system: Debian's and Fedora's names differ. */
export const OLDEST_GLIBC = "2.28";
