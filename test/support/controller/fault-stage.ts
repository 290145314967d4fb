import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { RESULT } from "../../../src/controller/api/api-paths.ts";
import { type JsonObject, textAt } from "../../../src/model/json.ts";
import { eventually } from "../../../verify/shared/eventually.ts";
import type { PreflightProcess, PreflightService } from "../../../verify/shared/preflight.ts";
import * as stage from "../../../verify/operator/stage.ts";

const ACCOUNT = "system:serviceaccount:openshift-cluster-version:preflight-controller";
const READS = ["get", "list", "watch"];

/** A stage for tests that harm the controller or its runner. */
export type FaultStage = {
  readonly set: () => stage.Stage;
  /** ClusterVersion before the first test. */
  readonly first: () => JsonObject;
  /** Starts one more controller. */
  readonly begin: (...more: readonly string[]) => PreflightService;
  /** Starts one more that can be killed. */
  readonly beginProcess: (...more: readonly string[]) => PreflightProcess;
  /** Ends all controllers. */
  readonly end: () => Promise<void>;
  /** Waits until ClusterVersion's conditions match. */
  readonly says: (expected: RegExp) => Promise<void>;
  /** Waits until what `status` prints matches. */
  readonly tells: (expected: RegExp) => Promise<void>;
  /** What our controllers have written so far, leases aside: "patch version/status" for example. */
  readonly listWrites: () => Promise<readonly string[]>;
  /** The document that the controller keeps. */
  readonly held: () => Promise<string>;
  /** The document of a whole cycle of the real runner, which then hangs. */
  readonly resultOfRunner: () => Promise<JsonObject>;
  /** Puts a document where the runner does. */
  readonly write: (document: JsonObject | string) => Promise<void>;
  /** Runs after the test, whether it passed or not. */
  readonly cleanUpWith: (act: () => Promise<void>) => void;
};

/** For the tests of one group: each begins without a request, a controller or a document. */
export function useFaultStage(): FaultStage {
  let set: stage.Stage;
  let first: JsonObject;
  let controllers: PreflightService[] = [];
  let cleanUp: () => Promise<void> = async () => {};
  const keep = <Controller extends PreflightService>(controller: Controller): Controller => {
    controllers.push(controller);
    return controller;
  };
  const begin = (...more: readonly string[]): PreflightService => keep(set.controller(...more));
  const end = async (): Promise<void> => {
    for (const controller of controllers) controller.kill("SIGTERM");
    await Promise.all(controllers.map((controller) => controller.result));
    controllers = [];
  };
  before(async () => {
    set = await stage.startStage();
    first = await stage.readClusterVersion(set.api);
  });
  beforeEach(async () => {
    await end();
    set.nodes.setMode({ kind: "creating" });
    await set.command("cancel");
    const isCleared = (): Promise<void> => stage.assertCleared(set.api);
    await isCleared().catch(async () => {
      begin();
      await eventually(isCleared);
      await end();
    });
    await rm(dirname(set.document), { recursive: true, force: true });
  });
  afterEach(async () => {
    await cleanUp();
    cleanUp = async () => {};
  });
  after(async () => {
    await end();
    await set?.stop();
  });
  return {
    ...buildSteps(() => set),
    set: () => set,
    first: () => first,
    begin,
    beginProcess: (...more) => keep(set.controllerProcess(...more)),
    end,
    cleanUpWith: (act) => void (cleanUp = act),
  };
}

type Steps = Pick<FaultStage, "says" | "tells" | "listWrites" | "held" | "resultOfRunner" | "write">;

function buildSteps(set: () => stage.Stage): Steps {
  const says = (expected: RegExp): Promise<void> =>
    eventually(async () =>
      assert.match(stage.formatConditions(await stage.readClusterVersion(set().api)).join("; "), expected),
    );
  return {
    says,
    tells: (expected) => eventually(async () => assert.match((await set().run("status")).out, expected)),
    async listWrites() {
      const ours = (await set().cluster.audit()).filter(({ user, verb }) => user === ACCOUNT && !READS.includes(verb));
      const paths = ours.map(({ verb, uri }) => `${verb} ${uri.split("?")[0]?.split("/").slice(-2).join("/") ?? ""}`);
      return paths.filter((path) => !/leases/.test(path));
    },
    held: async () => textAt(await stage.readObject(set().api, RESULT), "data", "held.json") ?? "",
    async resultOfRunner() {
      set().nodes.setMode({ kind: "runs" });
      await set().command("request", "--to", "5.1.2");
      await says(/Completed=True/);
      set().nodes.setMode({ kind: "hangs" });
      return JSON.parse(await readFile(set().document, "utf8"));
    },
    async write(document) {
      const path = set().document;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.new`, typeof document === "string" ? document : JSON.stringify(document));
      await rename(`${path}.new`, path);
    },
  };
}
