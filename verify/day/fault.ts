import type { ControlPlane } from "../api-server/control-plane.ts";

/** How an administrator is rid of a risk, as the screen says it. */
export type Mending =
  /** The printed commands are run; `choices` fill their placeholders, and `afterwards` does what a controller does of it that runs nowhere here. */
  | { readonly kind: "fix"; readonly choices?: Readonly<Record<string, string>>; readonly afterwards?: Act }
  /** What these words of the text say is done by hand. `isAnotherUpdate`: from another version, of which the earlier result says nothing. */
  | { readonly kind: "do"; readonly says: string; readonly act: Act; readonly isAnotherUpdate?: true };

export type Act = (cluster: ControlPlane) => Promise<unknown>;

/** A fault of the day. One without `plant` is in every seeded cluster. */
export type DayFault = {
  readonly risk: string;
  /** "a cordoned control-plane node" */
  readonly what: string;
  readonly plant?: Act;
  readonly mending: Mending;
};
