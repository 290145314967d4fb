/** Where a check comes from that this build does not have. `file`: as people know it, a path or a key of a ConfigMap. */
export type SiteOrigin = { readonly kind: "site"; readonly file: string };
