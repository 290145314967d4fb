import {
  type FunctionRows,
  traverseAll,
  getListValues,
  type CelValue,
  OPTIONAL_NONE,
  buildList,
  buildOptional,
  isList,
  unwrapOptional,
} from "../../schema/cel/index.ts";
import { findMember, findText } from "../run/object-refs.ts";

/** The spec of a pod: of a CronJob that of its jobs' pods, of other workloads that of their template. */
function findPodSpec(object: CelValue | undefined): CelValue | undefined {
  const spec = findMember(unwrapOptional(object), "spec");
  const template = findMember(findMember(findMember(spec, "jobTemplate"), "spec") ?? spec, "template");
  return template === undefined ? spec : findMember(template, "spec");
}

function selectPodSpec([object]: readonly CelValue[]): CelValue {
  const spec = findPodSpec(object);
  return spec === undefined ? OPTIONAL_NONE : buildOptional(spec);
}

/** Containers that somebody added to debug a running pod don't come back, and don't count. */
function listImages([object]: readonly CelValue[]): CelValue {
  const spec = findPodSpec(object);
  const containers = ["containers", "initContainers"].flatMap((name) => {
    const list = findMember(spec, name) ?? null;
    return isList(list) ? getListValues(list) : [];
  });
  return buildList(containers.flatMap((container) => findText(container, "image") ?? []));
}

/** What is read of an object is at most its containers. */
const COST = 10;

export const POD_FUNCTIONS: FunctionRows = {
  podSpec: { types: "(dyn) optional_type(dyn)", call: selectPodSpec, cost: () => COST },
  images: { types: "(dyn) list(string)", call: listImages, cost: (_, images) => traverseAll([images]) + COST },
};
