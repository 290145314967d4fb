import type { ClusterOrigin } from "../../format/view/view.ts";
import { defined } from "../../model/optional.ts";
import type { CycleResult } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import type { OpenValues } from "../client/connection.ts";
import { printWarnings } from "../target/target.ts";
import type { Io } from "../io/io.ts";
import { buildTargetFailure, type CycleValues, judgeTarget, withSession } from "./session.ts";
import { completeTarget, readGivenTarget, type ReleaseValues } from "../target/checks-and-target.ts";

/** How a cycle ended, where its objects were read, and how the target is offered; absent if the cluster was not opened, or no update graph was read. */
export type CheckedTarget = {
  readonly result: CycleResult;
  readonly cluster?: ClusterOrigin;
  readonly offer?: TargetOffer;
};

/** Reads the target, then the cluster, and runs the checks once. */
export async function checkTarget(values: ReleaseValues & OpenValues & CycleValues, io: Io): Promise<CheckedTarget> {
  const given = await readGivenTarget(values);
  if (given !== undefined) printWarnings(given.target, io);
  if (given?.target.kind === "failed") return { result: buildTargetFailure(given.target, io) };
  return withSession(values, io, async (session) => {
    const { offer, ...completed } = await completeTarget(given, session);
    if (given === undefined) printWarnings(completed.target, io);
    return { result: await judgeTarget(session, completed), cluster: session.origin, ...defined({ offer }) };
  });
}
