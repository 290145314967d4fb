import { createHash } from "node:crypto";
import { constants, gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { MODIFIED } from "../../../src/encoding/tar-writer.ts";
import type { BuildPlatform } from "../platform.ts";
import type { Project } from "../project.ts";
import { type InstalledFile, OLDEST_GLIBC, toPackageVersion } from "./installed-files.ts";

/** A Debian package: an ar archive of two tars. The same files give the same bytes. */
export async function buildDebianPackage(
  project: Project,
  { oci }: BuildPlatform,
  url: string,
  files: readonly InstalledFile[],
): Promise<Buffer> {
  const sums = files.flatMap((file) =>
    file.kind === "file" ? `${createHash("md5").update(file.bytes).digest("hex")}  ${file.path}\n` : [],
  );
  const control = formatControl(project, oci.architecture, url, files);
  const controlFiles: readonly InstalledFile[] = [
    { kind: "file", path: "control", bytes: Buffer.from(control), mode: 0o644 },
    { kind: "file", path: "md5sums", bytes: Buffer.from(sums.join("")), mode: 0o644 },
  ];
  return packAr([
    { name: "debian-binary", bytes: Buffer.from("2.0\n") },
    { name: "control.tar.gz", bytes: await packTree(controlFiles) },
    { name: "data.tar.gz", bytes: await packTree(files) },
  ]);
}

function formatControl(project: Project, architecture: string, url: string, files: readonly InstalledFile[]): string {
  const sizes = files.map((file) => (file.kind === "file" ? file.bytes.length : 0));
  const kilobytes = sizes.reduce((sum, size) => sum + Math.ceil(size / 1024), 0);
  const fields = [
    ["Package", project.name],
    ["Version", toPackageVersion(project.version)],
    ["Architecture", architecture],
    ["Maintainer", `${project.name} (${url})`],
    ["Installed-Size", String(kilobytes)],
    ["Depends", `libc6 (>= ${OLDEST_GLIBC}), libgcc-s1, libstdc++6`],
    ["Section", "admin"],
    ["Priority", "optional"],
    ["Homepage", url],
    ["Description", project.description],
  ];
  return fields.map(([field, value]) => `${field}: ${value}\n`).join("");
}

/** A .tar.gz of files below "./", with the folders that they are in. */
async function packTree(files: readonly InstalledFile[]): Promise<Buffer> {
  const folders = [...new Set(files.flatMap(({ path }) => listParents(path)))].toSorted();
  const common = { mtime: MODIFIED, uid: 0, gid: 0, uname: "root", gname: "root" };
  const entries = [
    ...folders.map((path) => ({
      header: { ...common, name: `./${path}`, size: 0, type: "directory" as const, mode: 0o755 },
    })),
    ...files.map((file) =>
      file.kind === "file"
        ? {
            header: { ...common, name: `./${file.path}`, size: file.bytes.length, mode: file.mode },
            body: file.bytes,
          }
        : {
            header: {
              ...common,
              name: `./${file.path}`,
              size: 0,
              type: "symlink" as const,
              linkname: file.target,
              mode: 0o777,
            },
          },
    ),
  ];
  return gzipSync(await packTar(entries), { level: constants.Z_BEST_COMPRESSION });
}

/** "", "usr/" and "usr/bin/" of usr/bin/preflight. */
function listParents(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, i) => `${parts.slice(0, i + 1).join("/")}/`)];
}

type ArMember = { readonly name: string; readonly bytes: Buffer };

function packAr(members: readonly ArMember[]): Buffer {
  const parts = members.flatMap(({ name, bytes }) => {
    const fields = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    const header = `${fields.join("")}${String(bytes.length).padEnd(10)}\`\n`;
    return [Buffer.from(header, "latin1"), bytes, Buffer.from(bytes.length % 2 === 0 ? "" : "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
