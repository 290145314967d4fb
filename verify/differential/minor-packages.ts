import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { SHARED } from "../api-server/control-plane.ts";
import { FEWER_COLLECTIONS } from "../api-server/go.ts";
import { run } from "../shared/run.ts";

/** structured-merge-diff is v4 in the packages before this minor. */
const FIRST_WITH_V6 = 34;
const PACKAGES = ["apiextensions-apiserver", "apimachinery", "apiserver"];

/**
 * Builds the oracle of ../shared/oracle (PREFLIGHT_SHARED) with the newest packages of a minor of Kubernetes, which takes a minute or two
 * the first time, and returns its path. Needs Go and the module proxy.
 */
export async function buildOracle(minor: number): Promise<string> {
  const source = readFileSync(join(SHARED, "oracle/main.go"), "utf8");
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "preflight-differential", `oracle-1.${minor}-${hash}`);
  const binary = join(folder, "crd-oracle");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const go = (...args: readonly string[]): Promise<string> =>
    run("go", args, folder, { ...process.env, ...FEWER_COLLECTIONS, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" });
  const merge = minor >= FIRST_WITH_V6 ? "v6" : "v4";
  writeFileSync(
    join(folder, "main.go"),
    source.replace(/structured-merge-diff\/v\d+/g, `structured-merge-diff/${merge}`),
  );
  writeFileSync(join(folder, "go.mod"), "module preflight.test/crd-oracle\n\ngo 1.24\n");
  const version = findNewest(await go("list", "-m", "-versions", "k8s.io/apiextensions-apiserver"), minor);
  await go("get", ...PACKAGES.map((name) => `k8s.io/${name}@${version}`));
  await go("mod", "tidy");
  await go("build", "-trimpath", "-ldflags=-s -w", "-o", "crd-oracle.part", ".");
  renameSync(join(folder, "crd-oracle.part"), binary);
  return binary;
}

function findNewest(versions: string, minor: number): string {
  const patches = [...versions.matchAll(new RegExp(String.raw`\bv0\.${minor}\.(\d+)(?=\s|$)`, "g"))].map(([, patch]) =>
    Number(patch),
  );
  if (patches.length === 0) throw new Error(`there are no packages of Kubernetes 1.${minor}`);
  return `v0.${minor}.${Math.max(...patches)}`;
}
