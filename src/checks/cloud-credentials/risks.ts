import type { Context } from "../../model/check.ts";
import { getMinorOrdinal } from "../../model/version.ts";
import { readRisks } from "../shared/risks.ts";

/** `--included` limits the requests to those that the cluster's platform and capabilities need. An oc before this release lacks it. */
const INCLUDED_SINCE = { major: 4, minor: 14 } as const;

/** The documentation asks for the target's own oc, which nobody knows in the general form. */
const remediation = {
  included: (context?: Context) =>
    context === undefined || getMinorOrdinal(context.target) >= getMinorOrdinal(INCLUDED_SINCE) ? " --included" : "",
  note: (context?: Context) => (context === undefined ? " (an oc before 4.14 lacks --included)" : ""),
};

export const risks = readRisks("cloud-credentials", {
  CloudCredentialsNotPrepared: { remediation },
  CloudCredentialsPreparedForEarlierRelease: { remediation },
});
