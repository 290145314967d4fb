import { spawnSync } from "node:child_process";
import { totalmem } from "node:os";
import { parseObject, textAt } from "../../src/model/json.ts";

/** Of this machine's memory, since a dozen may run at once. */
const PART = 1 / 12;

/** For the API server, the oracle and the Go compiler: no collection before they take so much memory, which saves a fifth of their CPU time. */
export const FEWER_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: `${Math.round(totalmem() * PART)}` };

/** For Go programs that end soon. */
export const NO_COLLECTIONS = { GOGC: "off" };

const TIMEOUT_MS = 120_000;

/** The folder of a Go module in Go's cache, which fetches it if need be; undefined if Go or the module can't be had. */
export function findGoModule(module: string): string | undefined {
  const { status, stdout } = spawnSync("go", ["mod", "download", "-json", module], {
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    env: { ...process.env, GO111MODULE: "on", GOWORK: "off", GOFLAGS: "-mod=mod" },
    cwd: "/",
  });
  if (status !== 0) return undefined;
  return textAt(parseObject(stdout), "Dir");
}
