import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FEWER_COLLECTIONS, NO_COLLECTIONS } from "./go.ts";

/** The folder of the test control plane, next to the project's own. */
export const SHARED = resolve(process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../shared"));
const ENVTEST = join(SHARED, "envtest");

/** Why tests that need a real control plane can't run here, or false: for node:test's `skip`. */
export const noControlPlane: string | false = existsSync(join(ENVTEST, "up.sh"))
  ? false
  : "there is no ../shared/envtest (set PREFLIGHT_SHARED to its parent folder)";

export type Env = Readonly<Record<string, string>>;

/** The processes of a control plane. */
export type Plane = {
  readonly env: Env;
  /** Ends them at once, and removes their folder. */
  readonly kill: () => Promise<void>;
};

/**
 * Ends up.sh if it still runs, and what it and others started in the folder, by their command lines: whoever ends
 * may have removed the folder with its pid files. Its input ends with the process that started it.
 */
const GUARD = `
folder=$1 up=$2
read -r _
! grep -qsF -- "$folder" "/proc/$up/cmdline" || kill -KILL -- "-$up"
for file in $(grep -lsF -- "$folder" /proc/[0-9]*/cmdline); do
  pid=\${file//[!0-9]/}
  [[ "$pid" == $$ ]] || kill -KILL "$pid" 2>/dev/null
done
rm -rf "$folder"
`;

/** Starts a control plane that ends with this process, however it ends; `options` are those of up.sh. */
export async function startPlane(options: readonly string[]): Promise<Plane> {
  const folder = await mkdtemp(join(tmpdir(), "preflight-envtest."));
  // The API server appends to a log that is there, which can therefore be emptied.
  await writeFile(join(folder, "audit.log"), "");
  const token = randomUUID();
  const tokens = join(folder, "tokens.csv");
  await writeFile(tokens, `${token},${ADMINISTRATOR},${ADMINISTRATOR},system:masters\n`);
  const up = spawnScript("up.sh", {}, ["--dir", folder, ...withFlags(options, "--token-auth-file", tokens)], true);
  const kill = startGuard(folder, up);
  try {
    const lines = await readOutput(up, "up.sh");
    const env = Object.fromEntries(
      [...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name ?? "", value ?? ""]),
    );
    await useToken(env["KUBECONFIG"] ?? "", token);
    // What kubectl knows of one cluster's kinds is not true for the next one at the same address.
    return { env: { ...env, ADMIN_TOKEN: token, KUBECACHEDIR: join(folder, "kubectl") }, kill };
  } catch (thrown) {
    await kill();
    throw thrown;
  }
}

/** The name in the certificate of up.sh. */
const ADMINISTRATOR = "preflight-envtest-admin";

/** Flags of kube-apiserver follow those of up.sh. */
function withFlags(options: readonly string[], ...flags: readonly string[]): readonly string[] {
  return [...options, ...(options.includes("--") ? [] : ["--"]), ...flags];
}

/** A token instead of a certificate, whose signature the API server would verify again for each request: a tenth of its CPU time. */
async function useToken(kubeconfig: string, token: string): Promise<void> {
  const text = await readFile(kubeconfig, "utf8");
  await writeFile(kubeconfig, text.replace(/user: \{client-certificate-data: .*\}/, `user: {token: "${token}"}`));
}

function startGuard(folder: string, up: ChildProcess): () => Promise<void> {
  const guard = spawn("bash", ["-c", GUARD, "guard", folder, String(up.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(guard, "exit");
  guard.unref();
  return async () => {
    guard.ref();
    guard.stdin.end();
    await ended;
  };
}

/** Runs one of the scripts beside the test control plane. */
export async function runScript(name: string, env: Env, ...args: readonly string[]): Promise<string> {
  return readOutput(spawnScript(name, env, args, false), name);
}

function spawnScript(name: string, env: Env, args: readonly string[], detached: boolean): ChildProcess {
  const child = spawn(join(ENVTEST, name), [...args], {
    env: { ...FEWER_COLLECTIONS, ...process.env, ...env },
    detached,
  });
  child.stdin.end();
  return child;
}

export function runKubectl(env: Env, args: readonly string[], input = ""): Promise<string> {
  const child = spawn(join(env["KUBEBUILDER_ASSETS"] ?? "", "kubectl"), [...args], {
    env: { ...NO_COLLECTIONS, ...process.env, ...env },
  });
  // One that ends before it has read everything says why by its exit code.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return readOutput(child, `kubectl ${args.join(" ")}`);
}

function readOutput(child: ChildProcess, title: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const texts = { out: "", err: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(texts.out) : reject(new Error(`${title}: ${texts.err || `exit code ${code}`}`)),
    );
  });
}

const PAUSE_MS = 10;

/** Ends the controllers that controllers.sh started beside a control plane. */
export async function stopControllers(env: Env): Promise<void> {
  const find = (): Promise<number | undefined> => findProcess(env, "kube-controller-manager");
  const pid = await find();
  if (pid === undefined) return;
  process.kill(pid, "SIGKILL");
  while ((await find()) === pid) await sleep(PAUSE_MS);
}

/** A control plane that runs and does nothing takes a fortieth of a core. */
export async function pausePlane(env: Env): Promise<void> {
  for (const name of ["kube-apiserver", "etcd"]) await signal(env, name, "SIGSTOP");
}

export async function resumePlane(env: Env): Promise<void> {
  for (const name of ["etcd", "kube-apiserver"]) await signal(env, name, "SIGCONT");
}

async function signal(env: Env, name: string, what: NodeJS.Signals): Promise<void> {
  const pid = await findProcess(env, name);
  if (pid !== undefined) process.kill(pid, what);
}

/** By the file with its id, if it is still the one that was started: ids are used again. */
async function findProcess(env: Env, name: string): Promise<number | undefined> {
  const folder = env["ENVTEST_DIR"] ?? "";
  const pid = Number(await readFile(join(folder, `${name}.pid`), "utf8").catch(() => "0"));
  if (pid === 0) return undefined;
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return line.includes(folder) ? pid : undefined;
}
