import type { Fixture } from "./things.ts";

export const CONTROL_PLANE: Readonly<Record<string, Fixture>> = {
  "etcd-v3-storage": { hit: [], hitHistory: ["4.19.9"], miss: [], missHistory: ["4.20.15", "4.20.9"] },
};
