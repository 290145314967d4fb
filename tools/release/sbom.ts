import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { listPackageFolders } from "../package-folders.ts";
import { type Project, ROOT } from "./project.ts";
import { run } from "../../verify/shared/run.ts";

/** A component of a bill of materials; it has more than these tools look at. */
export type Component = { readonly "bom-ref": string; readonly name: string; readonly [key: string]: unknown };
type Dependency = { readonly ref: string; readonly dependsOn?: readonly string[] };
export type Bom = {
  readonly serialNumber?: string | undefined;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
  /** How much of what it describes it names. */
  readonly compositions?: readonly object[];
};

const NPM_SBOM = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];

/** The CycloneDX bill of materials that npm makes, of the packages that the artefacts contain: those in the bundle, and Node. */
export async function buildSbom(project: Project, bundleFolder: string): Promise<Bom> {
  const { outputs }: Metafile = JSON.parse(await readFile(join(bundleFolder, "meta.json"), "utf8"));
  const bundled = await readBundledPackages(Object.keys(outputs["dist/preflight"]?.inputs ?? {}));
  const bom: Bom = JSON.parse(await run("npm", [...NPM_SBOM, "--omit", "dev"], ROOT));
  return reduceSbom(bom, project.name, bundled);
}

export function formatBom(bom: Bom): string {
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Without what differs each time or from machine to machine: the serial number, the time, npm's version, the folder's name. */
export function reduceSbom(bom: Bom, name: string, bundled: ReadonlySet<string>): Bom {
  const { properties: _private, ...component } = bom.metadata.component;
  const components = bom.components.filter((one) => bundled.has(one["bom-ref"]) || one.name.startsWith("node-linux-"));
  const refs = new Set([component, ...components].map((one) => one["bom-ref"]));
  return {
    ...bom,
    serialNumber: undefined,
    metadata: { component: { ...component, name } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
}

/** The packages whose code is in the bundle, as npm's references to them: name@version. */
async function readBundledPackages(inputs: readonly string[]): Promise<ReadonlySet<string>> {
  const refs = listPackageFolders(inputs).map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8"));
    return `${name}@${version}`;
  });
  return new Set(await Promise.all(refs));
}
