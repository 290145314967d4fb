import type { Api } from "./api.ts";
import type { RequestingClient } from "./clients.ts";

/** How clients use an API that some release removes, as the cluster counts it. `odd`: what could not be parsed. */
export type ApiUsage =
  | {
      readonly kind: "usage";
      readonly api: Api;
      /** The minor of Kubernetes 1 that removes it. */
      readonly minor: number;
      /** Were there requests of clients that the cluster doesn't name? */
      readonly hasUnnamedClients: boolean;
      /** What those did ("LIST"); empty if the cluster doesn't say. */
      readonly unnamedVerbs: readonly string[];
      /** The clients that made requests, sorted. */
      readonly clients: readonly RequestingClient[];
    }
  | { readonly kind: "odd"; readonly where: string; readonly message: string };
