import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A file of the prebuilt set, as its list of digests has it. */
export type PrebuiltFile = { readonly name: string; readonly digest: string };

/** The programs that plays need are built once; a control plane unpacks those of a digest once, too. */
export function readPrebuilt(shared = process.env["PREFLIGHT_SHARED"] ?? ""): readonly PrebuiltFile[] {
  return parseDigests(readFileSync(join(shared, "envtest/bin/SHA256SUMS"), "utf8"));
}

export function parseDigests(text: string): readonly PrebuiltFile[] {
  return text
    .split("\n")
    .flatMap((line) => [...line.matchAll(/^([0-9a-f]{64})\s+\*?(\S+)$/g)])
    .map(([, digest = "", name = ""]) => ({ name, digest }));
}

/** The Prometheus of this machine, if there is one: its version and the digest of the program. */
export function findPrometheus(path = process.env["PATH"] ?? ""): readonly PrebuiltFile[] {
  const file = path
    .split(delimiter)
    .map((folder) => join(folder, "prometheus"))
    .find((one) => existsSync(one));
  if (file === undefined) return [];
  const { stdout, stderr } = spawnSync(file, ["--version"], { encoding: "utf8" });
  const version = /version (\S+)/.exec(`${stdout}${stderr}`)?.[1] ?? "of an unknown version";
  return [{ name: `prometheus ${version}`, digest: createHash("sha256").update(readFileSync(file)).digest("hex") }];
}
