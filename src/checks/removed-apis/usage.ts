import type { Api } from "./api.ts";
import type { Client } from "./clients.ts";

/** An API that some release removes, as the cluster counts its use. */
export type Usage =
  | {
      readonly kind: "usage";
      readonly api: Api;
      /** The minor of Kubernetes 1 that removes it. */
      readonly minor: number;
      /** Were there requests of clients that are not named? */
      readonly unnamed: boolean;
      /** Who asked, sorted. */
      readonly clients: readonly Client[];
    }
  | { readonly kind: "odd"; readonly where: string; readonly message: string };
