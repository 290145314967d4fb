import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { numberAt, parseObject } from "../../src/model/json.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";
import { type MeasuredCommand, measure } from "./processes.ts";
import type { Case, Sample } from "./sample.ts";
import { watchServer } from "./server-cost.ts";
import type { MockCluster } from "./mock-cluster.ts";
import { type startWidgetCluster, WIDGETS_PATH } from "./widgets.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const EXECUTABLE = join(ROOT, "dist", "preflight");
const PLAIN_GET = join(import.meta.dirname, "plain-get.ts");
/** A read of 1,000,000 objects takes longer than the default. */
const PATIENT = ["--check-timeout", "30m", "--cycle-timeout", "30m"];
/** Of `check`: no risk, or some. Anything else was no complete run. */
const COMPLETE_CODES: readonly (number | null)[] = [0, 3];

type Env = Readonly<Record<string, string>>;

/** The cost of starting. */
export function buildStartCases(): readonly Case[] {
  const node = (args: readonly string[]): MeasuredCommand => ({ file: process.execPath, args });
  return [
    { id: "node", title: "`node -e 0`", run: () => run(node(["-e", "0"])) },
    { id: "version", title: "`preflight --version`", run: () => run(node([EXECUTABLE, "--version"])) },
  ];
}

/** All checks against a target's folders, by their ids. */
export function buildRegistryCases(
  { env }: ControlPlane,
  targets: readonly { readonly id: string; readonly title: string; readonly folder: string }[],
): readonly Case[] {
  const kubectl: MeasuredCommand = { file: findKubectl(env), args: ["get", "nodes"], env };
  return [
    ...targets.map(({ id, title, folder }) => ({ id, title, run: () => runCheck(["--target", folder], env, env) })),
    { id: "kubectl-nodes", title: "`kubectl get nodes`", run: () => run(kubectl, env) },
  ];
}

/** One kind with so many objects, on a control plane. `limits`: of the plain GETs, 0 for one GET of everything. */
export function buildKindCases(
  { env }: ControlPlane,
  crd: string,
  count: number,
  limits: readonly number[],
): readonly Case[] {
  const url = `${env["APISERVER_URL"]}${WIDGETS_PATH}`;
  const pki = join(env["ENVTEST_DIR"] ?? "", "pki");
  return [
    { id: `check-${count}`, title: "`preflight check --crds`", run: () => runCheck(["--crds", crd], env, env, count) },
    ...limits.map((limit) => ({
      id: `get-${limit}-${count}`,
      title: limit === 0 ? "plain GET of everything" : `plain GETs, pages of ${limit.toLocaleString("en")}`,
      run: () => runPlainGets([url, `${limit}`, pki], count, env),
    })),
  ];
}

export function buildKubectlCase({ env }: ControlPlane, count: number): Case {
  const args = ["get", "widgets", "-A", "-o", "json"];
  const command: MeasuredCommand = { file: findKubectl(env), args, env, discardsOutput: true };
  return { id: `kubectl-${count}`, title: "`kubectl get -A -o json`", run: () => run(command, env) };
}

/** The same on a mock, which is fast and so shows what the reader itself needs. It has so many objects until the next call. */
export function buildMockCases(
  mock: Awaited<ReturnType<typeof startWidgetCluster>>,
  kubeconfig: string,
  crd: string,
  count: number,
): readonly Case[] {
  const objects = `${count.toLocaleString("en")} objects`;
  mock.setCount(count);
  return [
    {
      id: `mock-check-${count}`,
      title: `\`preflight check --crds\`, ${objects}`,
      run: () => countRequests(mock, () => runCheck(["--crds", crd], { KUBECONFIG: kubeconfig }, undefined, count)),
    },
    {
      id: `mock-get-2000-${count}`,
      title: `plain GETs, pages of 2,000, ${objects}`,
      run: () => countRequests(mock, () => runPlainGets([`${mock.url}${WIDGETS_PATH}`, "2000"], count)),
    },
  ];
}

async function countRequests(mock: MockCluster, act: () => Promise<Sample>): Promise<Sample> {
  mock.takeRequests();
  const sample = await act();
  return { ...sample, requests: mock.takeRequests() };
}

/** All checks of Kubernetes on a cluster as large as it supports. */
export function buildLargeCase(mock: MockCluster, kubeconfig: string): Case {
  const check = () => runCheck(["--target-version", "v1.36"], { KUBECONFIG: kubeconfig }, undefined, 150_000);
  const title = "`preflight check`: 5,000 nodes, 150,000 pods, 1,000 CRDs";
  return { id: "large", title, run: () => countRequests(mock, check) };
}

/** What other tools would be run with, if they are on PATH. They judge other things, so no ratio is made of them. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  kubent: ["--output", "json"],
  pluto: ["detect-all-in-cluster", "--output", "json"],
  "kubectl-validate": ["--version"],
};

export function buildOtherCases({ env }: ControlPlane): {
  readonly cases: readonly Case[];
  readonly missing: readonly string[];
} {
  const names = Object.keys(OTHERS);
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const isFound = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));
  const build = (name: string): Case => {
    const args = OTHERS[name] ?? [];
    return { id: name, title: `\`${[name, ...args].join(" ")}\``, run: () => run({ file: name, args, env }, env) };
  };
  return { cases: names.filter(isFound).map(build), missing: names.filter((name) => !isFound(name)) };
}

function findKubectl(env: Env): string {
  return join(env["KUBEBUILDER_ASSETS"] ?? "", "kubectl");
}

type Finished = { readonly sample: Sample; readonly code: number | null; readonly out: string };

/** `server`: the variables of the control plane that the command asks. */
async function measureBeside(command: MeasuredCommand, server?: Env): Promise<Finished> {
  const stop = server && watchServer(server);
  const { code, out, ...figures } = await measure(command);
  const cost = stop?.();
  return { code, out, sample: { ...figures, ...(cost && { server: cost, requests: cost.requests }) } };
}

async function run(command: MeasuredCommand, server?: Env): Promise<Sample> {
  return (await measureBeside(command, server)).sample;
}

/** Throws if the check could not judge everything: its cost would then say nothing. */
async function runCheck(args: readonly string[], env: Env, server?: Env, objects = 0): Promise<Sample> {
  const command = [EXECUTABLE, "check", ...args, ...PATIENT, "-o", "json"];
  const { sample, code, out } = await measureBeside({ file: process.execPath, args: command, env }, server);
  const coverage = parseObject(out)?.["coverage"];
  const read = numberAt(coverage, "objects") ?? 0;
  const bytes = numberAt(coverage, "bytes") ?? 0;
  if (!COMPLETE_CODES.includes(code) || read < objects)
    throw new Error(`check ${args.join(" ")} ended with ${code} after ${read} objects: ${out.slice(0, 2_000)}`);
  return { ...sample, bytes };
}

async function runPlainGets(args: readonly string[], count: number, server?: Env): Promise<Sample> {
  const command = { file: process.execPath, args: ["--disable-warning=ExperimentalWarning", PLAIN_GET, ...args] };
  const { sample, code, out } = await measureBeside(command, server);
  const figures = parseObject(out);
  const requests = numberAt(figures, "requests");
  const bytes = numberAt(figures, "bytes");
  if (code !== 0 || bytes === undefined || requests === undefined || bytes < count)
    throw new Error(`plain GETs ended with ${code}: ${out}`);
  return { ...sample, bytes, requests };
}
