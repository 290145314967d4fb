import process from "node:process";

/** Begins the name that a child process has in lists of processes, by which it knows that it is one. */
export const CHILD_NAME = "preflight-child";

export function isChild(): boolean {
  return process.argv0.startsWith(CHILD_NAME) && process.channel !== undefined;
}

/** Not an import, which the build would lower to "sea": no Node knows that. */
export function isSingleExecutable(): boolean {
  return process.getBuiltinModule("node:sea").isSea();
}

/** Defined by the build, from tools/v8-flags.json; a run from source has none. */
declare const PREFLIGHT_V8_FLAGS: readonly string[] | undefined;

const V8_FLAGS = typeof PREFLIGHT_V8_FLAGS === "undefined" ? [] : PREFLIGHT_V8_FLAGS;

/** The flags of this process with those of V8 that it lacks; what a person has set stays. */
export function addV8Flags(flags: readonly string[], nodeOptions: string | undefined): readonly string[] {
  const given = [...flags, ...(nodeOptions ?? "").split(/\s+/)].map(getName);
  return [...flags, ...V8_FLAGS.filter((flag) => !given.includes(getName(flag)))];
}

/**
 * The environment of a process whose threads share one arena of glibc: otherwise each has its own, whose freed memory no other gets, and a
 * process that lives for a day grows. What a person has set stays.
 */
export function withOneArena(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { MALLOC_ARENA_MAX: "1", ...env };
}

function getName(flag: string): string {
  return (flag.split("=")[0] ?? "").replaceAll("_", "-");
}

const MIB = 2 ** 20;
/** Enough for what checks keep of the most objects that they judge. */
const DEFAULT_MIB = 320;
/** In a container that is smaller than recommended. */
const MIN_MIB = 192;
const MAX_MIB = 2_048;
/** What a container needs besides the heap that reads the cluster: the rest of that process, and the runner's own process. */
const REST_MIB = 192;
const FLAG = /^--max[-_]old[-_]space[-_]size\b/;

/**
 * MiB of V8's old generation in a child process. A container gives what it doesn't need itself to its children, of which up to `siblings`
 * run at a time.
 */
export function selectHeapLimit(nodeOptions: string | undefined, containerBytes: number, siblings = 1): number {
  const given = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec(nodeOptions ?? "")?.[1];
  if (given !== undefined) return Number(given);
  // Node reports 0, or more than any machine has, if the container has no limit.
  if (containerBytes === 0 || containerBytes > Number.MAX_SAFE_INTEGER) return DEFAULT_MIB;
  return Math.min(MAX_MIB, Math.max(MIN_MIB, Math.floor(containerBytes / siblings / MIB) - REST_MIB));
}

export function formatHeapLimit(heapMib: number): string {
  return `--max-old-space-size=${heapMib}`;
}

/** The flags of a process for a child of it that has another heap limit. */
export function replaceHeapLimit(flags: readonly string[], heapMib: number): readonly string[] {
  return [...flags.filter((flag) => !FLAG.test(flag)), formatHeapLimit(heapMib)];
}
