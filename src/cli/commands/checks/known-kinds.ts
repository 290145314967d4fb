import { stat } from "node:fs/promises";
import { BUILT_IN_KINDS } from "../../../data-checks/kinds/built-in-kinds.ts";
import { buildCustomKinds } from "../../../data-checks/kinds/custom-kinds.ts";
import type { KindTable } from "../../../data-checks/kinds/kind.ts";
import { type Crd, parseCrd } from "../../../model/crd.ts";
import { CRD_RESOURCE } from "../../../model/custom-kind.ts";
import { FailedError } from "../../../model/errors.ts";
import type { Payload } from "../../../release/payload/payload.ts";
import { readPayload } from "../../../release/payload/payload-reader.ts";
import type { Io } from "../../io/io.ts";
import { readCrdInput } from "../../target-release/crds.ts";
import { readImageFolder } from "../../target-release/image-target.ts";
import { collectObjects, requireRead } from "../../checks/custom-kinds.ts";
import { withSession } from "../../client/connection.ts";
import { formatWarnings, printSkipped } from "../../target-release/target.ts";
import { namesCluster } from "./case-cluster.ts";
import type { LintChecksValues } from "./definition.ts";

/** The kinds whose fields are known: Kubernetes' own, and those of the definitions that the values name. */
export async function readKnownKinds(values: LintChecksValues, io: Io): Promise<KindTable> {
  const { crds: path, target } = values;
  const crds = [
    ...(path === undefined ? [] : await readCrdFiles(path, io)),
    ...(target === undefined ? [] : await readReleaseCrds(target, values, io)),
    ...(await readClusterCrds(values, io)),
  ];
  const custom = buildCustomKinds(crds);
  return { find: (resource) => BUILT_IN_KINDS.find(resource) ?? custom.find(resource) };
}

/** All variants of each definition, whichever of them a cluster has. What can't be used is told: its fields are not known. */
function listCrds(payload: Payload, io: Io): readonly Crd[] {
  printSkipped(formatWarnings({ ...payload, warnings: [...payload.warnings, ...payload.problems] }), io);
  return payload.manifests.flatMap(({ crd }) => crd ?? []);
}

async function readCrdFiles(path: string, io: Io): Promise<readonly Crd[]> {
  const input = await readCrdInput(path);
  if (input.kind === "failed") throw new FailedError(input.failure.message);
  return listCrds(input.payload, io);
}

/** What is no folder is an image. */
async function readReleaseCrds(target: string, values: LintChecksValues, io: Io): Promise<readonly Crd[]> {
  const isThere = (await stat(target).catch(() => undefined)) !== undefined;
  const read = await readPayload([isThere ? target : await readImageFolder(target, values, io)], {});
  if (read.kind === "failed") throw new FailedError(read.failure.message);
  return listCrds(read.payload, io);
}

async function readClusterCrds(values: LintChecksValues, io: Io): Promise<readonly Crd[]> {
  if (!namesCluster(values)) return [];
  return withSession(values, io, async ({ reader }) => {
    const { found, unknowns } = await collectObjects(CRD_RESOURCE, parseCrd, reader, io.stopSignal);
    requireRead(unknowns);
    return found;
  });
}
