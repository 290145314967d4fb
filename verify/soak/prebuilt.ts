import { readFileSync } from "node:fs";
import { join } from "node:path";

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
