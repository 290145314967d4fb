import type { ClusterSession, OpenValues } from "../../client/connection.ts";
import type { GraphValues } from "../../target-release/graph-reader.ts";
import type { ImageValues } from "../../target-release/image-target.ts";
import type { AcceptanceValues } from "../../session/acceptances.ts";
import type { CycleValues } from "../../session/session.ts";
import type { SelectionValues } from "../../settings/shared-settings.ts";
import type { ReleaseFolder } from "./release-folders.ts";

/** What a plan needs, whatever is made of it. `release`: folders of releases on the way. */
export type PlanningValues = OpenValues &
  CycleValues &
  SelectionValues &
  AcceptanceValues &
  GraphValues &
  ImageValues & { readonly to: string; readonly release: readonly string[] };

/** With the folders that --release names. */
export type PlanSession = ClusterSession<PlanningValues & { readonly folders: readonly ReleaseFolder[] }>;
