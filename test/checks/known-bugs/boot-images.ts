import type { Fixture } from "./things.ts";

export const BOOT_IMAGES: Readonly<Record<string, Fixture>> = {};
