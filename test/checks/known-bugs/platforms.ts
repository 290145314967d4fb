import { type Fixture, infrastructure } from "./things.ts";

export const PLATFORMS: Readonly<Record<string, Fixture>> = {
  "openstack-nodes-not-created": { hit: [infrastructure("OpenStack")], miss: [infrastructure("AWS")] },
};
