import { createHash } from "node:crypto";
import { dirname, basename } from "node:path/posix";
import { constants, gzipSync } from "node:zlib";
import { compareText } from "../../../src/model/json.ts";
import { MODIFIED } from "../../../src/encoding/tar-writer.ts";
import type { BuildPlatform } from "../platform.ts";
import type { Project } from "../project.ts";
import { type InstalledFile, OLDEST_GLIBC, RPM_ARCHITECTURES, toPackageVersion } from "./installed-files.ts";
import { binary, i18n, int16, int32, packRpmHeader, string, strings, type RpmTag } from "./rpm-header.ts";

const RELEASE = "1";
const TIME = MODIFIED.getTime() / 1_000;
const SHA256 = 8;
const HEADER_REGION = 63;
const SIGNATURE_REGION = 62;
/** Flags of dependencies. */
const EQUAL = 8;
const FROM_RPMLIB = 8 | 2 | 0x01000000;

/** rpm removes a folder only with the package that lists it. */
type RpmEntry = InstalledFile | { readonly kind: "folder"; readonly path: string };

/** An RPM package, version 3 of the format (all of rpm 4 reads it), not signed. The same files give the same bytes. */
export function buildRpmPackage(
  project: Project,
  { oci }: BuildPlatform,
  url: string,
  files: readonly InstalledFile[],
): Buffer {
  const entries = [...files, buildDocumentationFolder(project)].toSorted((a, b) => compareText(a.path, b.path));
  const archive = packCpio(entries);
  const payload = gzipSync(archive, { level: constants.Z_BEST_COMPRESSION });
  const name = `${project.name}-${toPackageVersion(project.version)}-${RELEASE}`;
  const header = packRpmHeader(HEADER_REGION, [
    ...describePackage(project, RPM_ARCHITECTURES[oci.architecture], url, entries),
    ...describeFiles(entries),
    ...describePayload(payload),
  ]);
  const signature = packRpmHeader(SIGNATURE_REGION, [
    [269, string(hash("sha1", header))],
    [273, string(hash("sha256", header))],
    [1000, int32([header.length + payload.length])],
    [1004, binary(createHash("md5").update(header).update(payload).digest())],
    [1007, int32([archive.length])],
  ]);
  const padding = Buffer.alloc((8 - (signature.length % 8)) % 8);
  return Buffer.concat([packLead(name, oci.architecture), signature, padding, header, payload]);
}

/** The only folder that no other package has. */
function buildDocumentationFolder({ name }: Project): RpmEntry {
  return { kind: "folder", path: `usr/share/doc/${name}` };
}

function hash(algorithm: string, bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest("hex");
}

/** What `file` reads; rpm itself only looks at its beginning. */
function packLead(name: string, architecture: "amd64" | "arm64"): Buffer {
  const lead = Buffer.alloc(96);
  Buffer.from([0xed, 0xab, 0xee, 0xdb, 3, 0, 0, 0]).copy(lead);
  lead.writeUInt16BE(architecture === "amd64" ? 1 : 19, 8);
  lead.write(name, 10, 65);
  lead.writeUInt16BE(1, 76);
  lead.writeUInt16BE(5, 78);
  return lead;
}

function describePackage(
  project: Project,
  architecture: string,
  url: string,
  files: readonly RpmEntry[],
): readonly RpmTag[] {
  const version = toPackageVersion(project.version);
  const needs = [
    [`libc.so.6(GLIBC_${OLDEST_GLIBC})(64bit)`, "", 0],
    ["libgcc_s.so.1()(64bit)", "", 0],
    ["libstdc++.so.6()(64bit)", "", 0],
    ["rpmlib(CompressedFileNames)", "3.0.4-1", FROM_RPMLIB],
    ["rpmlib(FileDigests)", "4.6.0-1", FROM_RPMLIB],
    ["rpmlib(PayloadFilesHavePrefix)", "4.0-1", FROM_RPMLIB],
    ...(version.includes("~") ? ([["rpmlib(TildeInVersions)", "4.10.0-1", FROM_RPMLIB]] as const) : []),
  ] as const;
  return [
    [100, strings(["C"])],
    [1000, string(project.name)],
    [1001, string(version)],
    [1002, string(RELEASE)],
    [1004, i18n(project.description)],
    [1005, i18n(`${project.description}.`)],
    [1006, int32([TIME])],
    [1007, string("localhost")],
    [1009, int32([files.reduce((sum, file) => sum + getSize(file), 0)])],
    [1014, string(project.license)],
    [1016, i18n("Unspecified")],
    [1020, string(url)],
    [1021, string("linux")],
    [1022, string(architecture)],
    [1044, string(`${project.name}-${version}-${RELEASE}.src.rpm`)],
    [1047, strings([project.name])],
    [1048, int32(needs.map(([, , flags]) => flags))],
    [1049, strings(needs.map(([need]) => need))],
    [1050, strings(needs.map(([, needed]) => needed))],
    [1112, int32([EQUAL])],
    [1113, strings([`${version}-${RELEASE}`])],
  ];
}

function getContent(file: RpmEntry): Buffer {
  if (file.kind === "folder") return Buffer.alloc(0);
  return file.kind === "file" ? file.bytes : Buffer.from(file.target);
}

function getSize(file: RpmEntry): number {
  return getContent(file).length;
}

function getMode(file: RpmEntry): number {
  if (file.kind === "folder") return 0o040755;
  return file.kind === "file" ? 0o100000 | file.mode : 0o120777;
}

/** The columns of a table of files, each of its own tag. */
function describeFiles(files: readonly RpmEntry[]): readonly RpmTag[] {
  const folders = [...new Set(files.map(({ path }) => `/${dirname(path)}/`))];
  const texts = (pick: (file: RpmEntry) => string) => strings(files.map(pick));
  const numbers = (pick: (file: RpmEntry, i: number) => number) => int32(files.map(pick));
  return [
    [1028, numbers(getSize)],
    [1030, int16(files.map(getMode))],
    [1033, int16(files.map(() => 0))],
    [1034, numbers(() => TIME)],
    [1035, texts((file) => (file.kind === "file" ? hash("sha256", file.bytes) : ""))],
    [1036, texts((file) => (file.kind === "link" ? file.target : ""))],
    // Documentation, below /usr/share.
    [1037, numbers(({ path }) => (path.startsWith("usr/share/") ? 2 : 0))],
    [1039, texts(() => "root")],
    [1040, texts(() => "root")],
    [1045, numbers(() => 0xffffffff)],
    [1095, numbers(() => 1)],
    [1096, numbers((_, i) => i + 1)],
    [1097, texts(() => "")],
    [1116, numbers(({ path }) => folders.indexOf(`/${dirname(path)}/`))],
    [1117, texts(({ path }) => basename(path))],
    [1118, strings(folders)],
    [5011, int32([SHA256])],
  ];
}

function describePayload(payload: Buffer): readonly RpmTag[] {
  return [
    [1124, string("cpio")],
    [1125, string("gzip")],
    [1126, string("9")],
    [5092, strings([hash("sha256", payload)])],
    [5093, int32([SHA256])],
  ];
}

/** The payload in cpio's format "newc": numbers in hexadecimal digits, names and contents padded to four bytes. */
function packCpio(files: readonly RpmEntry[]): Buffer {
  const parts = files.flatMap((file, i) =>
    packCpioEntry(`./${file.path}`, getContent(file), [i + 1, getMode(file), 0, 0, 1, TIME]),
  );
  return Buffer.concat([...parts, ...packCpioEntry("TRAILER!!!", Buffer.alloc(0), [0, 0, 0, 0, 1, 0])]);
}

function packCpioEntry(name: string, content: Buffer, start: readonly number[]): readonly Buffer[] {
  const numbers = [...start, content.length, 0, 1, 0, 0, name.length + 1, 0];
  const digits = numbers.map((one) => one.toString(16).padStart(8, "0")).join("");
  return [pad(Buffer.from(`070701${digits}${name}\0`)), pad(content)];
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
