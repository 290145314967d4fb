import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, each, get, valuesOf } from "../../model/read.ts";
import { type Version, minorPlace } from "../../model/version.ts";
import { runcOnRhel10 } from "./risks.ts";
import { type Rendered, type Runtime, keepRendered } from "./runtime.ts";
import { type Major, type Pool, keepDefaultStream, keepPool, majorOf } from "./streams.ts";

/** The first release whose pools can have RHEL 10 by support, and whose operator refuses runc there. */
const FIRST = { major: 5, minor: 0 } as const;

const GROUP = "machineconfiguration.openshift.io";

type Followed = {
  readonly pools: Each<Pool>;
  readonly rendered: Each<Rendered>;
  readonly streams: Get<string>;
  readonly previewedStreams: Get<string>;
};

export default defineCheck<Readonly<Record<string, never>>, Partial<Followed>>({
  id: "runc-default",
  name: "RuncDefault",
  title: "Nodes of RHEL 10 don't depend on runc",
  risks: [runcOnRhel10],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  reads: () => ({}),
  mayRead: poolReads,
  // Elsewhere a missing right to read them is no blind spot.
  follow: (_, { target }) => (concerns(target) ? poolReads() : {}),
  evaluate(_, context, { pools, rendered, streams, previewedStreams }): Judgement {
    if (!concerns(context.target))
      return { notApplicable: `The nodes of ${context.target.text} run RHEL 9 or earlier, which has runc.` };
    if (pools?.kind === "absent") return { notApplicable: "There are no machine config pools." };
    if (!pools || !rendered || !streams || !previewedStreams) return {};
    const judgements = pools.values.map((pool) => {
      const major = majorOf(pool, [streams, previewedStreams], context.source);
      return judgePool(pool, runtimeFor(pool, valuesOf(rendered)), major, context);
    });
    return {
      findings: judgements.flatMap(({ findings }) => findings ?? []),
      notices: judgements.flatMap(({ notices }) => notices ?? []),
      blind: judgements.flatMap(({ blind }) => blind ?? []),
    };
  },
});

function concerns(target: Version): boolean {
  return minorPlace(target) >= minorPlace(FIRST);
}

function poolReads(): Followed {
  return {
    pools: each(`${GROUP}/v1/machineconfigpools`, keepPool),
    rendered: each(`${GROUP}/v1/machineconfigs`, keepRendered),
    streams: get(`${GROUP}/v1/osimagestreams`, "cluster", keepDefaultStream),
    // 4.21 and 4.22 serve it as a preview.
    previewedStreams: get(`${GROUP}/v1alpha1/osimagestreams`, "cluster", keepDefaultStream),
  };
}

function runtimeFor({ config }: Pool, rendered: readonly Rendered[]): Runtime | undefined {
  return rendered.find(({ name }) => name === config)?.runtime;
}

function judgePool(pool: Pool, runtime: Runtime | undefined, major: Major, { target }: Context): Judgement {
  const runc = runtime?.kind === "named" && runtime.name === "runc";
  if (major === "earlier") return runc ? { notices: [notice(pool, target.text)] } : {};
  if (runtime === undefined)
    return blindTo(pool, "its configuration is not there, so which runtime it has is not known");
  if (runtime.kind === "unreadable") return blindTo(pool, `${runtime.file} of its configuration can't be read`);
  if (!runc) return {};
  if (major === "unknown") return blindTo(pool, "it runs runc, and which RHEL its nodes run is not known");
  return { findings: [findingOf(pool, runtime.file)] };
}

function findingOf({ name, config }: Pool, file: string): Finding {
  const object = { apiVersion: `${GROUP}/v1`, kind: "MachineConfigPool", name };
  return { risk: runcOnRhel10.name, object, message: `${file} of its configuration ${config} sets runc.` };
}

function blindTo({ name }: Pool, message: string): Judgement {
  return { blind: [{ reason: "NotUnderstood", where: `MachineConfigPool ${name}`, message }] };
}

function notice({ name }: Pool, target: string): string {
  return `MachineConfigPool ${name} runs its containers with runc, which RHEL 9 has in ${target} and RHEL 10 has not: change it to crun before the pool's nodes move to RHEL 10.`;
}
