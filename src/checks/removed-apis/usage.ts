import type { Api } from "./api.ts";

/** An API that some release removes, as the cluster counts its use. */
export type Usage =
  | {
      readonly kind: "usage";
      readonly api: Api;
      /** The minor of Kubernetes 1 that removes it. */
      readonly minor: number;
      readonly used: boolean;
      /** Who asked: "system:serviceaccount:ci:deployer (helm)", sorted. Can be empty all the same. */
      readonly clients: readonly string[];
    }
  | { readonly kind: "odd"; readonly where: string; readonly message: string };
