import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { splitExecutable } from "../embedding.ts";
import V8_FLAGS from "../v8-flags.json" with { type: "json" };
import { provideNode } from "./node-binary.ts";
import { type BuildPlatform, selectEmulator } from "./platform.ts";
import { ROOT } from "./project.ts";
import { run } from "../../verify/shared/run.ts";

/** Marks in Node's executable whether it has an application inside. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const CONFIG = {
  main: "main.cjs",
  output: "application",
  assets: { program: "program.js", "code-cache": "code-cache" },
  disableExperimentalSEAWarning: true,
  execArgv: V8_FLAGS,
  execArgvExtension: "cli",
};

export type SingleExecutable = { readonly bytes: Buffer; readonly nodeLicense: Buffer };

/** The bundle inside of a platform's Node. Relative names alone, so that the bytes don't depend on the folder. */
export async function buildSingleExecutable(platform: BuildPlatform, bundlePath: string): Promise<SingleExecutable> {
  const nodePackage = await provideNode(platform);
  const node = join(nodePackage, "bin", "node");
  const [command, ...first] = [...selectEmulator(platform), node];
  return withTemporaryFolder("executable", async (work) => {
    const runNode = (...args: readonly string[]) => run(command ?? node, [...first, ...args], work);
    const { launcher, program } = splitExecutable(await readFile(bundlePath, "latin1"));
    await writeFile(join(work, "main.cjs"), launcher, "latin1");
    await writeFile(join(work, "program.js"), program, "latin1");
    await writeFile(join(work, "config.json"), JSON.stringify(CONFIG));
    const compile = join(import.meta.dirname, "code-cache.mjs");
    await runNode(...V8_FLAGS, "--hash-seed=1", compile, "write", "program.js", "code-cache");
    await runNode(...V8_FLAGS, compile, "verify", "program.js", "code-cache");
    await runNode("--experimental-sea-config", "config.json");
    await copyFile(node, join(work, "preflight"));
    await inject(work);
    const nodeLicense = await readFile(join(nodePackage, "LICENSE"));
    return { bytes: await readFile(join(work, "preflight")), nodeLicense };
  });
}

async function inject(work: string): Promise<void> {
  await chmod(join(work, "preflight"), 0o755);
  const postject = resolve(ROOT, "node_modules", "postject", "dist", "cli.js");
  await run(process.execPath, [postject, "preflight", "NODE_SEA_BLOB", "application", "--sentinel-fuse", FUSE], work);
}
