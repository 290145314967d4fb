import { buildObjectCommand, quoteArgument } from "../../model/commands.ts";
import { readRisks } from "../shared/risks.ts";
import { type Context, type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { type Get, get } from "../../model/read.ts";
import { type ImageVerification, RELEASE_TRUST } from "../../model/release.ts";

const risks = readRisks("release-signature", {
  ReleaseSignatureUntrusted: {
    message: { image: (_, { release }) => release.image ?? "The target's image" },
    see: (finding, { platform, release }) => [
      buildObjectCommand(platform, "get", finding.object),
      `oc adm release info ${release.image === undefined ? "<image>" : quoteArgument(release.image)}`,
    ],
  },
});

type Followed = { readonly topology?: Get<string> };

export default defineCheck({
  id: "release-signature",
  title: "The cluster trusts the signature of the target's image",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "The cluster-version operator verifies a release with the keys of the release that it runs.",
  special: { isKnownAhead: true },
  reads: () => ({}),
  // The keys are read with the image, before any check runs: the right to read them is this check's.
  mayRead: () => ({ topology: buildTopologyRead(), trust: get("v1/configmaps", TRUST, () => undefined) }),
  follow: (_, { release }): Followed =>
    release.imageVerification === undefined || release.imageVerification.status === "Verified"
      ? {}
      : { topology: buildTopologyRead() },
  evaluate(_, context, { topology }): Judgement {
    const { image = "", imageVerification } = context.release;
    if (imageVerification === undefined)
      return { notApplicable: "The target is not a release image: a folder or a version has no signature." };
    if (topology !== undefined && isHosted(topology)) return { notApplicable: HOSTED };
    // It is no risk on a hosted control plane; the runner reports that the topology could not be read.
    if (topology === undefined && imageVerification.status === "Untrusted") return {};
    return judgeVerification(image, imageVerification, context);
  },
});

const TRUST = `${RELEASE_TRUST.namespace}/${RELEASE_TRUST.name}`;
const HOSTED =
  "The control plane is hosted: its HostedCluster names the release, and the cluster-version operator verifies none.";

function judgeVerification(image: string, { status, reason, message }: ImageVerification, context: Context): Judgement {
  switch (status) {
    case "Verified":
      return {};
    case "Untrusted":
      return { findings: [buildFinding(message, context)] };
    case "Unknown":
      return { unknowns: [buildUnknown(image, reason ?? "SignatureNotVerified", message)] };
  }
}

function buildUnknown(image: string, reason: Unknown["reason"], message: string): Unknown {
  return { reason, where: `the signature of ${image}`, message: message.replace(/^could not be verified: /, "") };
}

function buildFinding(message: string, { target }: Context): Finding {
  return {
    risk: risks.ReleaseSignatureUntrusted.name,
    object: RELEASE_TRUST,
    message: `The image of ${target.text} is ${message}.`,
  };
}
