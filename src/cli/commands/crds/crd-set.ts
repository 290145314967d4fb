import { FailedError } from "../../../model/errors.ts";
import type { ClusterFacts } from "../../../model/release.ts";
import { type CrdDocument, type CrdVariants, selectCrdVariants } from "../../../release/payload/crd-variants.ts";
import { DEFAULT_PROFILE } from "../../../runner/facts/cluster-profile.ts";
import type { CrdsValues } from "./definition.ts";
import { type CrdInput, readCrdInput } from "../../target-release/crds.ts";
import { printSkipped } from "../../target-release/target.ts";
import type { Io } from "../../io/io.ts";

/** The CRDs of one side that are judged, and those that are not. */
export type CrdSet = CrdVariants & Pick<CrdInput, "locate"> & { readonly path: string };

/** Which variants are judged, and what of that somebody chose: nothing else is left out on purpose. */
export type VariantChoice = {
  readonly featureSet: string;
  readonly profile: string;
  readonly chosen: readonly ("featureSet" | "profile")[];
};

export function parseVariantChoice({ "feature-set": featureSet, profile }: CrdsValues): VariantChoice {
  return {
    featureSet: featureSet ?? "Default",
    profile: profile ?? DEFAULT_PROFILE,
    chosen: [
      ...(featureSet === undefined ? [] : (["featureSet"] as const)),
      ...(profile === undefined ? [] : (["profile"] as const)),
    ],
  };
}

export async function readCrdSet(
  flag: "from" | "to",
  { [flag]: path }: CrdsValues,
  facts: ClusterFacts,
  io: Io,
): Promise<CrdSet> {
  const input = await readCrdInput(path);
  if (input.kind === "failed")
    throw new FailedError(input.failure.message.replaceAll("--crds needs", `--${flag} needs`));
  printSkipped(input.warnings, io);
  const variants = selectCrdVariants({ ...input.payload, version: facts.version }, facts);
  return { ...variants, locate: input.locate, path };
}

/** The file and the manifest in it that was judged. */
export function findDocument({ documents, locate }: CrdSet, crd: string): CrdDocument | undefined {
  const document = documents.get(crd);
  const file = document && locate(document.file);
  return document && file !== undefined ? { ...document, file } : undefined;
}
