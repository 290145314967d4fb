import { type ClusterUpdates, getClusterUpdates, versionOf } from "../../src/lift/objects/cluster-version.ts";
import { type UntimedCondition, setCondition, setTransitionTime } from "../../src/lift/objects/conditions.ts";
import { findCondition } from "../../src/model/object.ts";
import { type Json, type JsonObject, listAt, numberAt, objectAt, textAt } from "../../src/model/json.ts";
import {
  buildUpdateLists,
  type FiringAlert,
  listPlatformAlerts,
  listUpgradeableRisks,
  type Trouble,
} from "../operator/operator-model.ts";
import { replaceLists } from "../operator/fake-operator.ts";
import { beginUpdate } from "../operator/stage.ts";
import { foreign } from "../operator/status-sample.ts";
import type { Inputs, OperatorView } from "./inputs.ts";
import { SOURCE, TARGETS } from "./schedule.ts";

const PUBLISHED = foreign("PublishedAndMatching");

/** ClusterVersion's status as the operator writes it: its own lists, conditions and history, and everything else as it is. */
export function buildOperatorStatus(
  present: JsonObject,
  inputs: Inputs,
  offers: ClusterUpdates,
  alerts: readonly FiringAlert[],
  now: Date,
): JsonObject {
  const lists = buildViewLists(inputs, offers, alerts, getClusterUpdates(present), now);
  const status = setHistory(objectAt(present, "status"), inputs.isUpdating);
  const observedGeneration = numberAt(present, "metadata", "generation") ?? 0;
  return { ...replaceLists(status, lists), observedGeneration, conditions: setConditions(present, inputs, now) };
}

/** The operator's lists that follow from what it sees. */
export function buildViewLists(
  view: OperatorView,
  offers: ClusterUpdates,
  alerts: readonly FiringAlert[],
  present: ClusterUpdates,
  now: Date,
): JsonObject {
  const trouble = toTrouble(view);
  const sources = {
    source: SOURCE,
    offers: selectOffers(view, offers),
    alerts: [...listPlatformAlerts(trouble), ...alerts],
    upgradeable: listUpgradeableRisks(trouble),
    accepted: view.accepted,
  };
  return buildUpdateLists(sources, present, now);
}

function toTrouble({ causes }: OperatorView): Trouble {
  return {
    ...(causes.operator ? { operator: true } : {}),
    ...(causes.budget ? { budget: true } : {}),
    ...(causes.alert ? { alert: true } : {}),
  };
}

/** What the update service offers: the first target maybe not, or with a risk. */
function selectOffers({ isOffered, causes }: OperatorView, { available, conditional }: ClusterUpdates): ClusterUpdates {
  const isFirst = (release: JsonObject): boolean => textAt(release, "version") === TARGETS[0];
  const others = { available: available.filter((one) => !isFirst(one)), conditional };
  if (!isOffered) return others;
  if (!causes.published) return { available, conditional };
  const published = available.filter(isFirst).map((release) => ({ release, risks: [PUBLISHED] }));
  return { ...others, conditional: [...conditional.filter((one) => versionOf(one) !== TARGETS[0]), ...published] };
}

function setConditions(present: JsonObject, { causes, isUpdating }: Inputs, now: Date): readonly Json[] {
  const message = "Cluster operator storage should not be upgraded between minor versions: The volumes are too old.";
  const own: readonly UntimedCondition[] = [
    causes.operator
      ? { type: "Upgradeable", status: "False", reason: "VSphere", message }
      : { type: "Upgradeable", status: "True", reason: "AsExpected", message: "" },
    isUpdating
      ? { type: "Progressing", status: "True", reason: "DownloadingUpdate", message: `Working towards ${TARGETS[0]}` }
      : { type: "Progressing", status: "False", reason: "Done", message: `Cluster version is ${SOURCE}` },
  ];
  return own.reduce<readonly Json[]>(
    (all, one) => setCondition(all, setTransitionTime(findCondition(present, one.type), one, now)),
    listAt(present, "status", "conditions"),
  );
}

/** An update begins with a history entry, which goes again when it is abandoned. */
function setHistory(status: JsonObject, isUpdating: boolean): JsonObject {
  const hasBegun = textAt(status, "history", 0, "state") === "Partial";
  if (isUpdating === hasBegun) return status;
  return isUpdating ? beginUpdate(status, TARGETS[0]) : { ...status, history: listAt(status, "history").slice(1) };
}
