import { compareText } from "../../src/model/json.ts";
import type { ImageBase } from "./image-bases.ts";
import type { LockedPackage, LockedPackages } from "./lockfile.ts";
import { type Project, ROOT } from "./project.ts";
import { run } from "../../verify/shared/run.ts";

export type Written = { readonly name: string; readonly sha256: string };
type SourceResource = { readonly uri: string; readonly digest?: Readonly<Record<string, string>> };
/** What a release was built from, and how it was asked for. `commit`: undefined if the tree is not that of a commit. */
export type Build = {
  readonly url: string;
  readonly imageBase: string;
  readonly builder: string;
  readonly commit: string | undefined;
  readonly bases: readonly ImageBase[];
  readonly packages: LockedPackages;
};

/** The statement that says of each file what it was built from: in-toto Statement v1 with the predicate SLSA Provenance v1. Nobody has signed it. */
export function buildProvenance(project: Project, written: readonly Written[], build: Build): string {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: written
      .toSorted((a, b) => compareText(a.name, b.name))
      .map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `urn:${project.name}:npm-run-release:v1`,
        externalParameters: { url: build.url, imageBase: build.imageBase },
        resolvedDependencies: [
          describeSource(project, build.commit),
          ...build.bases.map(describeBase),
          ...Object.entries(build.packages)
            .toSorted(([a], [b]) => compareText(a, b))
            .flatMap(describePackage),
        ],
      },
      runDetails: { builder: { id: build.builder } },
    },
  };
  return `${JSON.stringify(statement)}\n`;
}

/** The commit of the sources; undefined outside of a repository, and if a file differs from the commit's. */
export async function findCommit(): Promise<string | undefined> {
  try {
    if ((await run("git", ["status", "--porcelain"], ROOT)) !== "") return undefined;
    return (await run("git", ["rev-parse", "HEAD"], ROOT)).trim();
  } catch {
    return undefined;
  }
}

function describeSource({ name, version }: Project, commit: string | undefined): SourceResource {
  const uri = `pkg:generic/${name}@${version}`;
  return commit === undefined ? { uri } : { uri, digest: { gitCommit: commit } };
}

function describeBase({ image }: ImageBase): SourceResource {
  const [name = "", digest = ""] = image.split("@");
  return { uri: `oci://${name}`, ...(digest === "" ? {} : { digest: { sha256: digest.replace(/^sha256:/, "") } }) };
}

function describePackage([path, { name, version, integrity }]: readonly [
  string,
  LockedPackage,
]): readonly SourceResource[] {
  if (path === "" || integrity === undefined) return [];
  const sha512 = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  const own = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return [{ uri: `pkg:npm/${own.replace("@", "%40")}@${version}`, digest: { sha512 } }];
}
