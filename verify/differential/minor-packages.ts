import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { FEWER_COLLECTIONS } from "../api-server/go.ts";
import { run } from "../shared/run.ts";

/** structured-merge-diff is v4 in the packages before this minor. */
const FIRST_WITH_V6 = 34;
/** A store's Delete has no options in the packages before this minor. */
const FIRST_WITH_DELETE_OPTIONS = 32;
const PACKAGES = ["apiextensions-apiserver", "apimachinery", "apiserver"];
const HANDLER = join(import.meta.dirname, "handler");

/**
 * Builds the handler of an API server, whose objects are in memory, with the newest packages of a minor of Kubernetes, and returns its path.
 * That takes some minutes the first time, and needs Go and the module proxy.
 */
export async function buildHandler(minor: number): Promise<string> {
  const sources = readSources();
  const folder = findFolder(sources, minor);
  const binary = join(folder, "handler");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const go = (...args: readonly string[]): Promise<string> =>
    run("go", args, folder, { ...process.env, ...FEWER_COLLECTIONS, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" });
  for (const [file, source] of sources) writeFileSync(join(folder, file), adapt(source, minor));
  writeFileSync(join(folder, "go.mod"), `module preflight.test/handler\n\ngo 1.24\n`);
  const version = findNewest(await go("list", "-m", "-versions", "k8s.io/apiextensions-apiserver"), minor);
  await go("get", ...PACKAGES.map((one) => `k8s.io/${one}@${version}`));
  await go("mod", "tidy");
  const part = `handler.${process.pid}`;
  await go("build", "-trimpath", "-ldflags=-s -w", "-o", part, ".");
  renameSync(join(folder, part), binary);
  return binary;
}

/** The handler, if it was built before: a build takes longer than all tests. */
export function findBuiltHandler(minor: number): string | undefined {
  const binary = join(findFolder(readSources(), minor), "handler");
  return existsSync(binary) ? binary : undefined;
}

type Sources = readonly (readonly [name: string, source: string])[];

function readSources(): Sources {
  const names = readdirSync(HANDLER).filter((name) => name.endsWith(".go"));
  return names.map((name) => [name, readFileSync(join(HANDLER, name), "utf8")]);
}

function findFolder(sources: Sources, minor: number): string {
  const hash = createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "preflight-differential", `handler-1.${minor}-${hash}`);
}

/** What the packages of an older minor call otherwise. */
function adapt(source: string, minor: number): string {
  const merges = minor >= FIRST_WITH_V6 ? "v6" : "v4";
  const renamed = source.replace(/structured-merge-diff\/v\d+/g, `structured-merge-diff/${merges}`);
  return minor >= FIRST_WITH_DELETE_OPTIONS ? renamed : renamed.replace(", _ storage.DeleteOptions", "");
}

function findNewest(versions: string, minor: number): string {
  const patches = [...versions.matchAll(new RegExp(String.raw`\bv0\.${minor}\.(\d+)(?=\s|$)`, "g"))].map(([, patch]) =>
    Number(patch),
  );
  if (patches.length === 0) throw new Error(`there are no packages of Kubernetes 1.${minor}`);
  return `v0.${minor}.${Math.max(...patches)}`;
}
