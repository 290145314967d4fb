import { buildUnknownCheck } from "../../data-checks/invalid-check.ts";
import { loadChecks } from "../../data-checks/load.ts";
import type { Check, Context, Unknown } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import type { ReleaseCheckText } from "../../model/release.ts";
import { HOSTED_PROFILE } from "../../model/infrastructure.ts";
import type { PreparedUpdate } from "../../runner/updates/prepare-update.ts";
import { listTakenNames } from "./taken-names.ts";

/** Loads the checks of the target's payload, unless the cluster would refuse its image: then they are unknown by name. */
export async function loadPayloadChecks(
  { context, facts, given }: Pick<PreparedUpdate, "context" | "facts" | "given">,
  load: LoadTexts,
): Promise<readonly Check[]> {
  const { checks: texts = [], imageVerification } = context.release;
  if (texts.length === 0) return [];
  const isTrusted =
    imageVerification === undefined || imageVerification.status === "Verified" || facts.profile === HOSTED_PROFILE;
  if (!isTrusted) return [buildUnverified(texts, context)];
  return load(texts, context.target.text, listFurtherNames(given));
}

/** Those that entries of --known-bugs have, and none of this build's. */
function listFurtherNames(given: readonly Check[]): readonly string[] {
  const own = listTakenNames();
  return [...listTakenNames(given.filter(({ id }) => id === "known-bugs"))].filter((name) => !own.has(name));
}

/** Resolves with what `loadPayloadTexts` does, or did before. */
export type LoadTexts = typeof loadPayloadTexts;

export async function loadPayloadTexts(
  texts: readonly ReleaseCheckText[],
  release: string,
  furtherNames: readonly string[] = [],
): Promise<readonly Check[]> {
  const taken = new Set([...listTakenNames(), ...furtherNames]);
  return (await loadChecks(texts, { kind: "payload", release }, taken)).checks;
}

function buildUnverified(texts: readonly ReleaseCheckText[], { release, target }: Context): Check {
  const { image = "", imageVerification: { status = "Unknown", reason, message = "" } = {} } = release;
  const unknown: Unknown = {
    reason: reason ?? "SignatureNotVerified",
    where: `the checks of ${target.text}`,
    message: `${summarizeNames(texts.map(({ name }) => name))} did not run, because the image ${image} ${status === "Untrusted" ? "is " : ""}${message}`,
  };
  const check = buildUnknownCheck("payload-checks", "The checks that the target's components bring can run", [unknown]);
  return { ...check, origin: { kind: "payload", release: target.text, file: image } };
}
