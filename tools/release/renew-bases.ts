// Writes into the Dockerfile the digests that its bases' tags have today: `npm run release:bases [-- --file Dockerfile] [--registry-ca FILE]`
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findBases, renewDigests } from "./image-bases.ts";
import { readProject, ROOT } from "./project.ts";

const { values } = parseArgs({
  options: { file: { type: "string", default: "Dockerfile" }, "registry-ca": { type: "string" } },
});
const caFile = values["registry-ca"];
const path = resolve(ROOT, values.file);
const { name, version } = await readProject();
const renewed = await renewDigests(await readFile(path, "utf8"), {
  env: process.env,
  now: new Date(),
  signal: AbortSignal.timeout(60_000),
  userAgent: `${name}/${version}`,
  machine: process.arch,
  ...(caFile === undefined ? {} : { caFile }),
});
await writeFile(path, renewed);
for (const base of findBases(renewed)) process.stdout.write(`${base.name} ${base.image}\n`);
