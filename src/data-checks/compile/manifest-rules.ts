import { findOwn } from "../../model/json.ts";
import type { CheckDefinition } from "../format/definition.ts";
import { type DocumentPlace, type PlacedFault, buildPlacedError } from "../format/fault.ts";
import type { CompiledCheck } from "./compile.ts";
import type { CompiledRule } from "./rules.ts";

/** An expression or a text, and the names that it uses. */
type UsedNames = { readonly place: DocumentPlace; readonly names: ReadonlySet<string> | undefined };

/** Of a check that is said to run on objects in files: what needs a cluster all the same. */
export function findManifestFaults({ spec }: CheckDefinition, check: CompiledCheck): readonly PlacedFault[] {
  if (spec.onManifests !== true) return [];
  const own = new Set([...Object.keys(spec.reads ?? {}), ...check.variables.map(({ name }) => name)]);
  return [
    ...findReadFaults(check),
    ...listUses(check).flatMap((use) => findNameFaults(use, own)),
    ...check.risks.flatMap((risk, i) => findRemedyFaults(risk.remediation.names, ["spec", "risks", i])),
    ...findAbsenceFaults(check),
    ...(spec.applies.versions ?? []).flatMap(({ sources }, i) =>
      sources === undefined ? [] : refuse(["spec", "applies", "versions", i, "sources"], RUNNING, TARGET_ONLY),
    ),
    ...(spec.applies.subject === undefined
      ? []
      : refuse(["spec", "applies", "subject"], "files show no hosted cluster", "leave subject or onManifests out")),
    ...(spec.notices ?? []).flatMap((_, i) =>
      refuse(["spec", "notices", i], "a notice has no place in a file", "make it a risk, or a check of its own"),
    ),
  ];
}

function refuse(place: DocumentPlace, why: string, hint: string): readonly PlacedFault[] {
  return [buildPlacedError(place, `${why}, so the check can't have onManifests`, hint)];
}

const RUNNING = "files don't show what the cluster runs";
const TARGET_ONLY = "use target alone, or leave onManifests out";

/** Names that files alone give no value, and why. */
const OF_CLUSTER: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  "@source": [RUNNING, "compare target, or leave onManifests out"],
  source: [RUNNING, TARGET_ONLY],
  update: [RUNNING, TARGET_ONLY],
  cluster: ["files show no facts of the cluster", "use fields of listed objects, or leave onManifests out"],
  checks: ["other checks don't run on files", "leave checks or onManifests out"],
  served: ["files don't show what the API server serves", "leave served or onManifests out"],
  readable: ["files don't show what can be read in the cluster", "leave readable or onManifests out"],
};

function findReadFaults({ reads, fields }: CompiledCheck): readonly PlacedFault[] {
  return reads.flatMap(({ key, definition }) => {
    // What a fact reads is refused where the fact is named.
    if (key.startsWith("@")) return [];
    const place = ["spec", "reads", key];
    return [
      ...(definition.get === undefined
        ? []
        : refuse([...place, "get"], "an object that is not in the files may be in the cluster", LIST_INSTEAD)),
      ...(definition.of === undefined
        ? []
        : refuse([...place, "of"], "the target's manifests are not in the files", LIST_INSTEAD)),
      ...(definition.when === undefined
        ? []
        : refuse([...place, "when"], "files are read whatever else is in them", "leave when or onManifests out")),
      ...(fields.get(key)?.seen.members.has("status") === true ? refuseKey(place) : []),
    ];
  });
}

const LIST_INSTEAD = "list the kind of which each object shows the fault, or leave onManifests out";

function refuseKey(place: DocumentPlace): readonly PlacedFault[] {
  const found = refuse(place, "its objects have no status in files", "use their spec, or leave onManifests out");
  return found.map((fault) => ({ ...fault, isKey: true }));
}

/** All that decides, and all that is said of what is found. */
function listUses(check: CompiledCheck): readonly UsedNames[] {
  return [
    ...check.variables.map(({ code }, i) => ({
      place: ["spec", "variables", i, "expression"],
      names: code.names,
    })),
    ...check.notApplicable.flatMap((rule) => [
      ...listRuleUses(rule),
      { place: [...rule.place, "reason"], names: rule.reason.names },
    ]),
    ...check.findings.flatMap(([, rules]) =>
      rules.flatMap((rule) => [
        ...listRuleUses(rule),
        { place: [...rule.place, "object"], names: rule.object?.names },
        { place: [...rule.place, "path"], names: rule.path?.names },
        { place: [...rule.place, "message"], names: rule.message.names },
        ...rule.detail.map(([name, { names }]) => ({ place: [...rule.place, "detail", name], names })),
      ]),
    ),
    ...check.unknowns.flatMap((rule) => [
      ...listRuleUses(rule),
      { place: [...rule.place, "where"], names: rule.where.names },
      { place: [...rule.place, "message"], names: rule.message.names },
    ]),
  ];
}

function listRuleUses({ place, forEach, when }: CompiledRule): readonly UsedNames[] {
  return [
    { place: [...place, "forEach"], names: forEach?.names },
    { place: [...place, "when"], names: when?.names },
  ];
}

/** `own`: the names that the author gave, which come before those of the cluster. */
function findNameFaults({ place, names }: UsedNames, own: ReadonlySet<string>): readonly PlacedFault[] {
  const used = [...(names ?? [])].filter((name) => !own.has(name));
  return used.flatMap((name) => {
    const [why, hint] = findOwn(OF_CLUSTER, name) ?? [];
    return why === undefined || hint === undefined ? [] : refuse(place, why, hint);
  });
}

/** It is all that files show of a risk's texts. */
function findRemedyFaults(names: ReadonlySet<string>, place: DocumentPlace): readonly PlacedFault[] {
  const used = ["source", "update", "fixes"].some((name) => names.has(name));
  return used ? refuse([...place, "remediation"], RUNNING, TARGET_ONLY) : [];
}

/** What is not in the files may be in the cluster: only objects that are there show something. */
function findAbsenceFaults(check: CompiledCheck): readonly PlacedFault[] {
  const listed = listListedNames(check);
  const isOfLists = ({ names }: { readonly names: ReadonlySet<string> }): boolean =>
    [...names].some((name) => listed.has(name));
  const ofFindings = check.findings.flatMap(([, rules]) =>
    rules.flatMap(({ place, forEach }) => {
      if (forEach === undefined) return refuseAbsence(place);
      return isOfLists(forEach) ? [] : refuse([...place, "forEach"], ABSENT, EACH);
    }),
  );
  const ofUnknowns = check.unknowns.flatMap(({ place, forEach, when }) =>
    forEach === undefined && when !== undefined && isOfLists(when) ? refuseAbsence(place) : [],
  );
  return [...ofFindings, ...ofUnknowns];
}

const ABSENT = "what is absent from files may be in the cluster";
const EACH = "go through the objects of a list with forEach, or leave onManifests out";

function refuseAbsence(place: DocumentPlace): readonly PlacedFault[] {
  return refuse(place, ABSENT, EACH).map((fault) => ({ ...fault, isKey: true }));
}

/** The reads that are lists, and the variables that are made of them. */
function listListedNames({ reads, variables }: CompiledCheck): ReadonlySet<string> {
  const listed = new Set(reads.flatMap(({ key, definition }) => (definition.list === undefined ? [] : [key])));
  for (const { name, code } of variables) if ([...code.names].some((one) => listed.has(one))) listed.add(name);
  return listed;
}
