import type { Check } from "../../model/check.ts";
import { FailedError } from "../../model/errors.ts";
import type { Release } from "../../model/release.ts";
import { buildPlainFacts } from "../../runner/facts/kubernetes-facts.ts";
import { type CheckSet, type CheckSetValues, type FinderValues, listKnownChecks } from "../checks/check-set.ts";
import type { OpenValues } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import { readClusterOperators } from "./cluster-operators.ts";
import { loadPayloadTexts } from "../checks/payload-checks.ts";
import {
  parseTargetOptions,
  readTarget,
  requireValidVersion,
  type TargetOptions,
  type TargetValues,
} from "./target.ts";

/** A target as a self-managed cluster with every capability has it, for commands that read no cluster. */
export async function readPlainRelease(options: TargetOptions, featureSet = ""): Promise<Release | undefined> {
  if (options.folders.length === 0) return undefined;
  const target = await readTarget(options);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  if (target.version === undefined) return undefined;
  return target.select(buildPlainFacts(target.version, featureSet));
}

/** All checks of a set, and those of a target. */
export async function addTargetChecks(checkSet: CheckSet, release: Release | undefined): Promise<readonly Check[]> {
  const known = listKnownChecks(checkSet);
  if (release?.checks === undefined) return known;
  return [...known, ...(await loadPayloadTexts(release.checks, release.version.text))];
}

type ListedValues = TargetValues & CheckSetValues & OpenValues & FinderValues;

/** The same for the target that values name, if they do, and with the checks of the cluster's operators, if they are asked for. */
export async function listTargetChecks(values: ListedValues, io: Io): Promise<readonly Check[]> {
  const release = await readPlainRelease(requireValidVersion(parseTargetOptions(values)));
  const operators = await readClusterOperators(values, release, io);
  return [...(await addTargetChecks(values.checkSet, release)), ...(operators?.checks ?? [])];
}
