import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseObject, textAt } from "../../src/model/json.ts";
import { splitExecutable } from "../../tools/embedding.ts";
import { EXECUTABLE, spawnPreflight } from "../../verify/shared/preflight.ts";

/** Commands, and what the cached code of each is called: in the process itself, in its child, and in a process with other flags of V8. */
export const PLANTED_COMMANDS: readonly (readonly string[])[] = [
  ["list"],
  ["check", "--recorded", "demo", "--target-version", "4.18.6", "--only", "kubelet-skew", "--fail-on", "never"],
  ["help"],
  ["status", "--recorded", "demo"],
];

/** V8 knows code by the length of its source: this stands for the whole program, and leaves a mark. */
const MARK = 'process.getBuiltinModule("node:fs").appendFileSync(process.env.MARKER, "ran\\n")';
const COMPILE = `
const { Script } = require("node:vm");
const { crc32 } = require("node:zlib");
const [tag, sum] = [require("node:v8").cachedDataVersionTag().toString(16), Buffer.alloc(4)];
const code = new Script(process.argv[1].padEnd(Number(process.argv[2]))).createCachedData();
sum.writeUInt32LE(crc32(code));
process.stdout.write(JSON.stringify({ tag, code: Buffer.concat([code, sum]).toString("base64") }));
`;

/** The files of a code cache that V8 and the launcher accept, whose code writes to the file that MARKER names. */
export async function buildPlantedCode(): Promise<ReadonlyMap<string, Buffer>> {
  const { program } = splitExecutable(readFileSync(EXECUTABLE, "latin1"));
  const flags: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../tools/v8-flags.json"), "utf8"));
  const prefix = await findPrefix();
  const files = new Map<string, Buffer>();
  for (const given of [[], Array.isArray(flags) ? flags.map(String) : []]) {
    const args = [...given, "-e", COMPILE, MARK, String(program.length)];
    const compiled = parseObject(execFileSync(process.execPath, args, { encoding: "utf8" })) ?? null;
    const code = Buffer.from(textAt(compiled, "code") ?? "", "base64");
    for (const name of ["list", "check-child", "help", "status"])
      files.set(`${prefix}-${textAt(compiled, "tag") ?? ""}-${name}`, code);
  }
  return files;
}

/** What the names of files begin with: the program, and Node's version. */
async function findPrefix(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "preflight-home-"));
  try {
    await spawnPreflight(["list"], { HOME: home });
    const [name = ""] = readdirSync(join(home, ".cache/preflight/code"));
    return name.split("-").slice(0, 3).join("-");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Writes them to `preflight/code` in a folder, as this user, for this user alone. */
export function plantCode(base: string, code: ReadonlyMap<string, Buffer>): void {
  const folder = join(base, "preflight/code");
  mkdirSync(folder, { recursive: true });
  for (const level of [join(base, "preflight"), folder]) chmodSync(level, 0o700);
  for (const [name, bytes] of code) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}
