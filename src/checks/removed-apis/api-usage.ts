import type { Api } from "./api.ts";
import type { ApiClient } from "./clients.ts";

/** An API that some release removes, as the cluster counts its use. */
export type ApiUsage =
  | {
      readonly kind: "usage";
      readonly api: Api;
      /** The minor of Kubernetes 1 that removes it. */
      readonly minor: number;
      /** Were there requests of clients that are not named? */
      readonly hasUnnamedClients: boolean;
      /** Who asked, sorted. */
      readonly clients: readonly ApiClient[];
    }
  | { readonly kind: "odd"; readonly where: string; readonly message: string };
